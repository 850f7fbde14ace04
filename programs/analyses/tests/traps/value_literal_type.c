extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(-1 < 0x80000000); return 0; }
