extern void __VERIFIER_assert(int);
#include <fenv.h>
int main(void) { volatile double a = 1, b = 3; double x = a / b; fesetround(FE_UPWARD); __VERIFIER_assert(a / b == x); return 0; }
