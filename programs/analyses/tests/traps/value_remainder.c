extern void __VERIFIER_assert(int);
int main(void) { int a = -7; __VERIFIER_assert(a % 2 == 1); return 0; }
