extern void __VERIFIER_assert(int);
#include <ucontext.h>
static ucontext_t c; static volatile int n;
int main(void) { getcontext(&c); if (n++ == 0) setcontext(&c); __VERIFIER_assert(n == 1); return 0; }
