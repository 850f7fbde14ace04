extern void __VERIFIER_assert(int);
static const char *f(void) { return "ab"; }
int main(void) { __VERIFIER_assert(f() != f()); return 0; }
