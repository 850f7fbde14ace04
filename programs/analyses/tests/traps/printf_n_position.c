extern void __VERIFIER_assert(int);
#include <stdio.h>
int main(void) { int n = 0; printf("abc%1$n", &n); __VERIFIER_assert(n == 0); return 0; }
