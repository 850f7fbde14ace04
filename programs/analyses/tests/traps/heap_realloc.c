extern void __VERIFIER_assert(int);
#include <stdlib.h>
int main(void) { int *p = malloc(sizeof *p); *p = 4; p = realloc(p, 8); __VERIFIER_assert(*p == 0); return 0; }
