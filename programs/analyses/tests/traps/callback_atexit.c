extern void __VERIFIER_assert(int);
#include <stdlib.h>
static void last(void) { __VERIFIER_assert(0); }
int main(void) { atexit(last); return 0; }
