extern void __VERIFIER_assert(int);
#include <math.h>
int main(void) { int e = 0; volatile double d = 8; frexp(d, &e); __VERIFIER_assert(e == 0); return 0; }
