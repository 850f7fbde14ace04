extern void __VERIFIER_assert(int);
#include <setjmp.h>
static jmp_buf b;
static void f(void) { longjmp(b, 4); }
int main(void) { volatile int x = 0; int r = setjmp(b); x++; if (!r) f(); __VERIFIER_assert(x == 1); return 0; }
