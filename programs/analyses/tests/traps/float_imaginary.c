extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(2.0i == 2.0); return 0; }
