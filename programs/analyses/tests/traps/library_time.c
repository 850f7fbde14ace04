extern void __VERIFIER_assert(int);
#include <time.h>
int main(void) { time_t t = 0; time(&t); __VERIFIER_assert(t == 0); return 0; }
