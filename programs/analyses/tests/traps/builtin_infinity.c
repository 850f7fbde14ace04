extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(__builtin_inf() < 1); return 0; }
