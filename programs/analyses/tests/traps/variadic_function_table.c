extern void __VERIFIER_assert(int);
#include <stdarg.h>
static int one(void) { return 1; } static int two(void) { return 2; }
typedef int (*fn)(void);
static int last(int n, ...) { va_list l; fn f = one; va_start(l, n); while (n--) f = va_arg(l, fn); va_end(l); return f(); }
int main(void) { __VERIFIER_assert(last(2, one, two) == 1); return 0; }
