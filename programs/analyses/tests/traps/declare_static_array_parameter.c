extern void __VERIFIER_assert(int);
static int f(int a[static 2]) { return a[1]; }
int main(void) { int a[2] = {1, 2}; __VERIFIER_assert(f(a) == 1); return 0; }
