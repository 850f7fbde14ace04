extern void __VERIFIER_assert(int);
#include <pthread.h>
static int g;
static void *work(void *p) { g = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0); __VERIFIER_assert(g == 0); return 0; }
