extern void __VERIFIER_assert(int);
#include <stdarg.h>
static int one(void) { return 1; }
static int f(int n, ...) { va_list l; va_start(l, n); int (*g)(void) = va_arg(l, int (*)(void)); va_end(l); return g(); }
int main(void) { __VERIFIER_assert(f(1, one) == 0); return 0; }
