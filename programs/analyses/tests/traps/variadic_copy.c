extern void __VERIFIER_assert(int);
#include <stdarg.h>
static int f(int n, ...) { va_list a, b; va_start(a, n); va_copy(b, a); int x = va_arg(a, int), y = va_arg(b, int); va_end(a); va_end(b); return x - y; }
int main(void) { __VERIFIER_assert(f(1, 3) != 0); return 0; }
