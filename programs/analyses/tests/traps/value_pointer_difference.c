extern void __VERIFIER_assert(int);
int main(void) { int a[4]; __VERIFIER_assert(&a[3] - &a[0] == 12); return 0; }
