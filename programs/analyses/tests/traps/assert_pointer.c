extern void __VERIFIER_assert(int);
int main(void) { void (*f)(int) = __VERIFIER_assert; f(0); return 0; }
