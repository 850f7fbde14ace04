extern void __VERIFIER_assert(int);
#include <stdarg.h>
static void set(va_list l) { *va_arg(l, int *) = 4; }
static void f(int n, ...) { va_list l; va_start(l, n); set(l); va_end(l); }
int main(void) { int x = 0; f(1, &x); __VERIFIER_assert(x == 0); return 0; }
