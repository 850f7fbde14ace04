extern void __VERIFIER_assert(int);
#include <stdio.h>
int main(void) { char b[4] = {0}; FILE *f = fmemopen("ab", 2, "r"); fgets(b, 4, f); __VERIFIER_assert(b[1] == 0); return 0; }
