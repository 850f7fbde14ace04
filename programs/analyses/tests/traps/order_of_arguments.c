extern void __VERIFIER_assert(int);
static int n;
static int next(void) { return ++n; }
static void f(int a, int b) { __VERIFIER_assert(a < b); }
int main(void) { f(next(), next()); return 0; }
