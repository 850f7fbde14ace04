extern void __VERIFIER_assert(int);
#include <stdarg.h>
static int f(int n, ...) { va_list l; int s = 0; va_start(l, n); while (n--) s += va_arg(l, int); va_end(l); return s; }
int main(void) { __VERIFIER_assert(f(2, 3, 4) == 3); return 0; }
