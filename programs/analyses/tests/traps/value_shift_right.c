extern void __VERIFIER_assert(int);
int main(void) { int a = -1; __VERIFIER_assert(a >> 1 == 0); return 0; }
