extern void __VERIFIER_assert(int);
#include <stdio.h>
int main(void) { signed char n = 0; printf("%*d%hhn", 3, 1, &n); __VERIFIER_assert(n == 0); return 0; }
