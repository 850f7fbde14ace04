extern void __VERIFIER_assert(int);
int main(void) { int a[4] = {[0 ... 2] = 7}; __VERIFIER_assert(a[2] == 0); return 0; }
