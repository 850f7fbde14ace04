extern void __VERIFIER_assert(int);
#define _GNU_SOURCE
#include <stdio.h>
int main(void) { char *p = 0; size_t n = 0; FILE *f = fmemopen("ab\n", 3, "r"); getline(&p, &n, f); __VERIFIER_assert(n == 0); return 0; }
