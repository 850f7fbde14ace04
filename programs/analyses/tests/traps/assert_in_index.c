extern void __VERIFIER_assert(int);
static int f(void) { __VERIFIER_assert(0); return 1; }
int main(void) { int a[2] = {0}; a[f()] = 1; return 0; }
