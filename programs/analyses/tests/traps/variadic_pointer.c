extern void __VERIFIER_assert(int);
#include <stdarg.h>
static void f(int n, ...) { va_list l; va_start(l, n); *va_arg(l, int *) = 5; va_end(l); }
int main(void) { int x = 0; f(1, &x); __VERIFIER_assert(x == 0); return 0; }
