extern void __VERIFIER_assert(int);
#include <time.h>
int main(void) { struct timespec t = {0, 0}; clock_gettime(CLOCK_REALTIME, &t); __VERIFIER_assert(t.tv_sec == 0); return 0; }
