extern void __VERIFIER_assert(int);
#include <ucontext.h>
static ucontext_t a, b; static char stack[65536];
static void work(void) { __VERIFIER_assert(0); }
int main(void) { getcontext(&b); b.uc_stack.ss_sp = stack; b.uc_stack.ss_size = sizeof stack; b.uc_link = &a; makecontext(&b, work, 0); swapcontext(&a, &b); return 0; }
