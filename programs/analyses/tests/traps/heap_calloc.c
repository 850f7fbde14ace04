extern void __VERIFIER_assert(int);
#include <stdlib.h>
int main(void) { int *p = calloc(2, sizeof *p); p[1] = 4; __VERIFIER_assert(p[1] == 0); return 0; }
