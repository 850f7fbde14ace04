extern void __VERIFIER_assert(int);
#include <pthread.h>
static int g;
static void *work(void *p) { return p; }
int main(void) { pthread_t t; void *r = 0; pthread_create(&t, 0, work, &g); pthread_join(t, &r); __VERIFIER_assert(r == 0); return 0; }
