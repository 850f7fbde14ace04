extern void __VERIFIER_assert(int);
#include <alloca.h>
int main(void) { int *p = alloca(8); p[1] = 4; int *q = p + 1; *q = 5; __VERIFIER_assert(p[1] == 4); return 0; }
