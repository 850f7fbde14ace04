extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(__builtin_types_compatible_p(int, long)); return 0; }
