extern void __VERIFIER_assert(int);
#include <fenv.h>
int main(void) { volatile double a = 1, b = 3; feclearexcept(FE_ALL_EXCEPT); a = a / b; __VERIFIER_assert(fetestexcept(FE_INEXACT) == 0); return 0; }
