extern void __VERIFIER_assert(int);
static int (f)(a) int a; { return a + 1; }
int main(void) { __VERIFIER_assert(f(1) == 1); return 0; }
