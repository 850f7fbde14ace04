extern void __VERIFIER_assert(int);
int a[];
int main(void) { a[0] = 1; __VERIFIER_assert(a[0] == 0); return 0; }
