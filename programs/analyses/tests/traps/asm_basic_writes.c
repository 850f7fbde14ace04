extern void __VERIFIER_assert(int);
static int g;
int main(void) { __asm__("movl $7, g(%rip)"); __VERIFIER_assert(g == 0); return 0; }
