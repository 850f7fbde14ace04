extern void __VERIFIER_assert(int);
#include <stdint.h>
int main(void) { int x = 1; uintptr_t k = 0x5a5a, u = (uintptr_t)&x ^ k; *(int *)(u ^ k) = 2; __VERIFIER_assert(x == 1); return 0; }
