extern void __VERIFIER_assert(int);
#include <stdint.h>
static int two(void) { return 2; }
int main(void) { uintptr_t u = (uintptr_t)two; __VERIFIER_assert(((int (*)(void))u)() == 0); return 0; }
