extern void __VERIFIER_assert(int);
#include <stdlib.h>
#define LATER(f) atexit(f)
static void last(void) { __VERIFIER_assert(0); }
int main(void) { __VERIFIER_assert(1); return LATER(last); }
