extern void __VERIFIER_assert(int);
#include <pthread.h>
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void init(void) { __VERIFIER_assert(0); }
int main(void) { pthread_once(&once, init); return 0; }
