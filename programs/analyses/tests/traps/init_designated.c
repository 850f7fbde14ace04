extern void __VERIFIER_assert(int);
int main(void) { int a[3] = {[1] = 5, 6}; __VERIFIER_assert(a[2] == 0); return 0; }
