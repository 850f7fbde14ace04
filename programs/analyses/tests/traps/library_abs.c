extern void __VERIFIER_assert(int);
#include <stdlib.h>
int main(void) { int x = -3; __VERIFIER_assert(abs(x) == -3); return 0; }
