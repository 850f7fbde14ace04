extern void __VERIFIER_assert(int);
#include <sys/time.h>
int main(void) { struct timeval t = {0, 0}; gettimeofday(&t, 0); __VERIFIER_assert(t.tv_sec == 0); return 0; }
