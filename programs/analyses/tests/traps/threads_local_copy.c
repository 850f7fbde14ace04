extern void __VERIFIER_assert(int);
#include <pthread.h>
static _Thread_local int g;
static void *work(void *p) { g = 1; __VERIFIER_assert(*(int *)p == 1); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, &g); pthread_join(t, 0); return 0; }
