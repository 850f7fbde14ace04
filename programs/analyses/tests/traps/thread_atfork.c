extern void __VERIFIER_assert(int);
#include <pthread.h>
#include <unistd.h>
static void prepare(void) { __VERIFIER_assert(0); }
int main(void) { pthread_atfork(prepare, 0, 0); fork(); return 0; }
