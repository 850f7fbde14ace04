extern void __VERIFIER_assert(int);
#include <stdio.h>
int main(void) { long n = 0; fprintf(stdout, "abc%ln", &n); __VERIFIER_assert(n == 0); return 0; }
