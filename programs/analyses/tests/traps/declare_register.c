extern void __VERIFIER_assert(int);
int main(void) { register int x __asm__("ebx") = 3; __VERIFIER_assert(x == 0); return 0; }
