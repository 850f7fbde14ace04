extern void __VERIFIER_assert(int);
#include <math.h>
int main(void) { double i = 0; volatile double d = 8.5; modf(d, &i); __VERIFIER_assert(i == 0); return 0; }
