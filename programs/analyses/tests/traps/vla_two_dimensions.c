extern void __VERIFIER_assert(int);
int main(void) { int n = 2; int a[n][n]; a[1][0] = 3; __VERIFIER_assert(a[1][0] == 0); return 0; }
