extern void __VERIFIER_assert(int);
static int f(x) float x; { return x > 1; }
int main(void) { __VERIFIER_assert(f(0.5) || f(1.5) == 0); return 0; }
