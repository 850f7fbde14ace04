extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(0.1L == 0.1); return 0; }
