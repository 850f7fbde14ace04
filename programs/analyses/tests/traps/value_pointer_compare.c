extern void __VERIFIER_assert(int);
int main(void) { int a[4]; int *p = a + 1; __VERIFIER_assert(p == (int *)((char *)a + 1)); return 0; }
