extern void __VERIFIER_assert(int);
#include <pthread.h>
static int g; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *p) { pthread_mutex_lock(&m); g++; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0); pthread_mutex_lock(&m); __VERIFIER_assert(g == 0); return 0; }
