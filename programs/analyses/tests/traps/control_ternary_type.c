extern void __VERIFIER_assert(int);
int main(void) { int x = -1; __VERIFIER_assert((1 ? x : 0u) < 0); return 0; }
