extern void __VERIFIER_assert(int);
#include <stdio.h>
int main(void) { int x = 0; sscanf("7", "%d", &x); __VERIFIER_assert(x == 0); return 0; }
