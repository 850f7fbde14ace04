extern void __VERIFIER_assert(int);
static int f(void) { __VERIFIER_assert(0); return 1; }
static void g(int x) {}
int main(void) { g(f()); return 0; }
