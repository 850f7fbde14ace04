extern void __VERIFIER_assert(int);
#include <pthread.h>
static void drop(void *p) { __VERIFIER_assert(0); }
int main(void) { pthread_cleanup_push(drop, 0); pthread_cleanup_pop(1); return 0; }
