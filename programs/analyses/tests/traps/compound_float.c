extern void __VERIFIER_assert(int);
int main(void) { int i = 5; i *= 0.5; __VERIFIER_assert(i == 0); return 0; }
