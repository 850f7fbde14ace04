extern void __VERIFIER_assert(int);
int main(void) { int n = 1; typeof(int[n++]) *p = 0; __VERIFIER_assert(n == 1); return 0; }
