extern void __VERIFIER_assert(int);
int main(void) { int \u00e9 = 1; __VERIFIER_assert(\u00e9 == 0); return 0; }
