extern void __VERIFIER_assert(int);
int main(void) { int a[2][3] = {{1, 2, 3}, {4, 5, 6}}; int (*p)[3] = a; __VERIFIER_assert((*(p + 1))[0] == 2); return 0; }
