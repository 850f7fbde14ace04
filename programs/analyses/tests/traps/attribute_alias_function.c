extern void __VERIFIER_assert(int);
int one(void) { return 1; }
int two(void) __attribute__((alias("one")));
int main(void) { __VERIFIER_assert(two() == 0); return 0; }
