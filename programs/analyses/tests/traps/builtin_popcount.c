extern void __VERIFIER_assert(int);
int main(void) { volatile unsigned x = 7; __VERIFIER_assert(__builtin_popcount(x) == 7); return 0; }
