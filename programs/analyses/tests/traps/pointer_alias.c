extern void __VERIFIER_assert(int);
static int f(int *a, int *b) { *a = 1; *b = 2; return *a; }
int main(void) { int x; __VERIFIER_assert(f(&x, &x) == 1); return 0; }
