extern void __VERIFIER_assert(int);
int main(void) { int a[2] = {[0] = 1, [0] = 2}; __VERIFIER_assert(a[0] == 1); return 0; }
