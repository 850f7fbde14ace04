extern void __VERIFIER_assert(int);
#include <threads.h>
static int work(void *p) { __VERIFIER_assert(0); return 0; }
int main(void) { thrd_t t; thrd_create(&t, work, 0); thrd_join(t, 0); return 0; }
