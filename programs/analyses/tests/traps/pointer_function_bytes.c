extern void __VERIFIER_assert(int);
#include <string.h>
static int one(void) { return 1; } static int two(void) { return 2; }
int main(void) { int (*p)(void) = one, (*q)(void) = two; memcpy(&p, &q, sizeof p); __VERIFIER_assert(p() == 1); return 0; }
