extern void __VERIFIER_assert(int);
#include <setjmp.h>
static jmp_buf b;
int main(void) { if (setjmp(b) == 0) longjmp(b, 1); __VERIFIER_assert(0); return 0; }
