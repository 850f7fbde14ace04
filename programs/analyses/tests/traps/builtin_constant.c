extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(!__builtin_constant_p(3)); return 0; }
