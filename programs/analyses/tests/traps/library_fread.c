extern void __VERIFIER_assert(int);
#include <stdio.h>
int main(void) { char b[2] = {0}; FILE *f = fmemopen("ab", 2, "r"); fread(b, 1, 2, f); __VERIFIER_assert(b[1] == 0); return 0; }
