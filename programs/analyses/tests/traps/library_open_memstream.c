extern void __VERIFIER_assert(int);
#define _GNU_SOURCE
#include <stdio.h>
int main(void) { char *p = 0; size_t n = 0; FILE *f = open_memstream(&p, &n); fputs("xy", f); fclose(f); __VERIFIER_assert(n == 0); return 0; }
