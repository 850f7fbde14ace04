extern void __VERIFIER_assert(int);
int main(void) { double d = 0.1 + 0.2; __VERIFIER_assert(d == 0.3); return 0; }
