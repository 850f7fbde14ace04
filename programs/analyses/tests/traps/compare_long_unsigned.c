extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(-1L > 1u); return 0; }
