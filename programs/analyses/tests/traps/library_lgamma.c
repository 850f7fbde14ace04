extern void __VERIFIER_assert(int);
#include <math.h>
int main(void) { signgam = 5; volatile double d = 2.5; lgamma(d); __VERIFIER_assert(signgam == 5); return 0; }
