extern void __VERIFIER_assert(int);
static int f(void) { __VERIFIER_assert(0); return 1; }
static void g(int n, int a[][f()]) {}
int main(void) { int a[1][1]; g(1, a); return 0; }
