extern void __VERIFIER_assert(int);
#define _GNU_SOURCE
#include <stdio.h>
int main(void) { char *p = 0; asprintf(&p, "x"); __VERIFIER_assert(p == 0); return 0; }
