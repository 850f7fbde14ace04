extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(010 == 10); return 0; }
