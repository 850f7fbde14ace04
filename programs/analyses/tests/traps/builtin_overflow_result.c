extern void __VERIFIER_assert(int);
int main(void) { int r; volatile int big = 2147483647; __VERIFIER_assert(!__builtin_add_overflow(big, 1, &r)); return 0; }
