extern void __VERIFIER_assert(int);
#include <string.h>
int main(void) { int x = 0; memset(&x, 1, sizeof x); __VERIFIER_assert(x == 1); return 0; }
