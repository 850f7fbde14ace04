extern void __VERIFIER_assert(int);
#include <stdarg.h>
#include <stdio.h>
static void say(const char *f, ...) { va_list l; va_start(l, f); vprintf(f, l); va_end(l); }
int main(void) { int n = 0; say("abc%n", &n); __VERIFIER_assert(n == 0); return 0; }
