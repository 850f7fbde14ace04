extern void __VERIFIER_assert(int);
#include <stdlib.h>
int main(void) { __VERIFIER_assert(strtol("0x1f", 0, 0) == 0); return 0; }
