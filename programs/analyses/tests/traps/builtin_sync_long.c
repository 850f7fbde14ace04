extern void __VERIFIER_assert(int);
int main(void) { long x = 1L << 40; __VERIFIER_assert(__sync_fetch_and_add(&x, 1) < 1L << 32); return 0; }
