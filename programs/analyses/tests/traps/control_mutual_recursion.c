extern void __VERIFIER_assert(int);
static int odd(int n); static int even(int n) { return n ? odd(n - 1) : 1; }
static int odd(int n) { return n ? even(n - 1) : 0; }
int main(void) { __VERIFIER_assert(even(5)); return 0; }
