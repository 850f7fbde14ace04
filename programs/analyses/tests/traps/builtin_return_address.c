extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(__builtin_return_address(0) == 0); return 0; }
