extern void __VERIFIER_assert(int);
static f(void) { return 3; }
int main(void) { __VERIFIER_assert(f() == 0); return 0; }
