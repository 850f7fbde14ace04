extern void __VERIFIER_assert(int);
#include <stdlib.h>
int main(void) { volatile size_t n = (size_t)-1 / 2; __VERIFIER_assert(malloc(n) != 0); return 0; }
