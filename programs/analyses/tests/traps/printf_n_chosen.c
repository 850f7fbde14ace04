extern void __VERIFIER_assert(int);
#include <stdio.h>
int main(int c, char **v) { int n = 0; printf(c ? "abc%n" : "", &n); __VERIFIER_assert(n == 0); return 0; }
