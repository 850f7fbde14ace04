extern void __VERIFIER_assert(int);
int main(void) { int x = 1; __asm__("incl %0" : "+r"(x)); __VERIFIER_assert(x == 1); return 0; }
