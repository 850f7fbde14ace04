extern void __VERIFIER_assert(int);
#include <stdlib.h>
static int g;
static void last(void) { if (g) __VERIFIER_assert(0); }
int main(void) { __VERIFIER_assert(g == 0); atexit(last); g = 1; exit(0); }
