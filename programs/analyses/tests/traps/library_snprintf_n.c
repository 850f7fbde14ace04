extern void __VERIFIER_assert(int);
#include <stdio.h>
int main(void) { int n = 0; char b[8]; snprintf(b, 8, "%d%n", 5, &n); __VERIFIER_assert(n == 0); return 0; }
