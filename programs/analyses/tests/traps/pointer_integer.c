extern void __VERIFIER_assert(int);
#include <stdint.h>
int main(void) { int x = 1; uintptr_t u = (uintptr_t)&x; *(int *)u = 2; __VERIFIER_assert(x == 1); return 0; }
