extern void __VERIFIER_assert(int);
int main(void) { __asm__ goto("jmp %l0" : : : : out); return 0; out: __VERIFIER_assert(0); return 0; }
