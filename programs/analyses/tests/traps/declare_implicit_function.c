extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(later() == 0); return 0; }
int later(void) { return 4; }
