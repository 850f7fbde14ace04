extern void __VERIFIER_assert(int);
#include <complex.h>
int main(void) { double complex z = 1 + 2 * I; __VERIFIER_assert(z == 1); return 0; }
