extern void __VERIFIER_assert(int);
#include <stdlib.h>
static void last(void) { __VERIFIER_assert(0); }
int main(void) { unsigned long u = (unsigned long)last; __VERIFIER_assert(u != 0); atexit((void (*)(void))u); return 0; }
