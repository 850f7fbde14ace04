extern void __VERIFIER_assert(int);
int main(void) { int a[2] = {1, 2}; __VERIFIER_assert(1[a] == 1); return 0; }
