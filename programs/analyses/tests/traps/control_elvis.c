extern void __VERIFIER_assert(int);
int main(void) { int x = 3, n = 0; int y = (n++, x) ?: 9; __VERIFIER_assert(y == 9 || n == 2); return 0; }
