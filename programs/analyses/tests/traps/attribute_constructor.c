extern void __VERIFIER_assert(int);
__attribute__((constructor)) static void first(void) { __VERIFIER_assert(0); }
int main(void) { return 0; }
