extern void __VERIFIER_assert(int);
int main(void) { int a[3] = {1, 2, 3}, *p = a + 2; p[-1] = 9; __VERIFIER_assert(a[1] == 2); return 0; }
