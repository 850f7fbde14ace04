extern void __VERIFIER_assert(int);
static int (a)[3] = {1, 2, 3};
int main(void) { int (x) = a[2], *(p) = &x; __VERIFIER_assert(*p == 0); return 0; }
