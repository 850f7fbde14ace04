extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(1.0L + 1e-18L == 1.0L); return 0; }
