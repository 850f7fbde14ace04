extern void __VERIFIER_assert(int);
int main(void) { long x = 1L << 40; __VERIFIER_assert(__atomic_load_n(&x, 5) < 1L << 32); return 0; }
