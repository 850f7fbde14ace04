extern void __VERIFIER_assert(int);
#include <setjmp.h>
static jmp_buf b;
static void f(void) { longjmp(b, 1); }
int main(void) { static int n; if (setjmp(b)) { __VERIFIER_assert(n == 0); return 0; } n = 1; f(); return 0; }
