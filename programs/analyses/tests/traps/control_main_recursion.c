extern void __VERIFIER_assert(int);
static int n;
int main(void) { if (n++ < 2) return main(); __VERIFIER_assert(n == 1); return 0; }
