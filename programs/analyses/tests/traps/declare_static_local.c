extern void __VERIFIER_assert(int);
static int f(void) { static int n; return ++n; }
int main(void) { f(); __VERIFIER_assert(f() == 1); return 0; }
