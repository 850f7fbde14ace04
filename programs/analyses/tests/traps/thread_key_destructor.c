extern void __VERIFIER_assert(int);
#include <pthread.h>
static void drop(void *p) { __VERIFIER_assert(0); }
int main(void) { pthread_key_t k; static int g; pthread_key_create(&k, drop); pthread_setspecific(k, &g); pthread_exit(0); }
