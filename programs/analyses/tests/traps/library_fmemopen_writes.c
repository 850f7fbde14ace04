extern void __VERIFIER_assert(int);
#define _GNU_SOURCE
#include <stdio.h>
int main(void) { char b[8] = {0}; FILE *f = fmemopen(b, 8, "w"); fputs("x", f); fclose(f); __VERIFIER_assert(b[0] == 0); return 0; }
