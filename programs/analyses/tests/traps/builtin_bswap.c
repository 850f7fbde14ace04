extern void __VERIFIER_assert(int);
int main(void) { volatile unsigned x = 1; __VERIFIER_assert(__builtin_bswap32(x) == 1); return 0; }
