extern void __VERIFIER_assert(int);
__attribute__((destructor)) static void last(void) { __VERIFIER_assert(0); }
int main(void) { return 0; }
