extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(__builtin_expect(0, 1)); return 0; }
