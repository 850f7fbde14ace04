extern void __VERIFIER_assert(int);
static int f(a, b) char a; int b; { return a; }
int main(void) { __VERIFIER_assert(f(300, 0) == 300); return 0; }
