extern void __VERIFIER_assert(int);
__asm__(".data\n.globl hidden\nhidden: .long 5\n.text");
extern int hidden;
int main(void) { __VERIFIER_assert(hidden == 0); return 0; }
