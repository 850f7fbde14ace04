extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(0b11 == 0); return 0; }
