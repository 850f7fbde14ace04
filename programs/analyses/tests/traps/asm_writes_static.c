extern void __VERIFIER_assert(int);
static int g;
int main(void) { __asm__ volatile("movl $7, %0" : : "m"(g) : "memory"); __VERIFIER_assert(g == 0); return 0; }
