extern void __VERIFIER_assert(int);
static int f(int n) { return n ? n + f(n - 1) : 0; }
int main(void) { __VERIFIER_assert(f(4) == 4); return 0; }
