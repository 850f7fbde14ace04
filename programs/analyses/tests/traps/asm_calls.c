extern void __VERIFIER_assert(int);
__attribute__((used)) static void f(void) { __VERIFIER_assert(0); }
int main(void) { __VERIFIER_assert(1); __asm__ volatile("call f" : : : "memory", "rax"); return 0; }
