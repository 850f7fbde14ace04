extern void __VERIFIER_assert(int);
__asm__(".text\n.globl five\nfive: movl $5, %eax\nret");
extern int five(void);
int main(void) { __VERIFIER_assert(five() == 0); return 0; }
