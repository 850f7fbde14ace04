extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert((int)0x1.8p3 == 1); return 0; }
