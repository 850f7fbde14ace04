extern void __VERIFIER_assert(int);
static int one(void) { return 1; } static int two(void) { return 2; }
int main(void) { int (*p)(void) = one, (*q)(void) = two; for (unsigned i = 0; i < sizeof p; i++) ((unsigned char *)&p)[i] = ((unsigned char *)&q)[i] ^ 0x55 ^ 0x55; __VERIFIER_assert(p() == 1); return 0; }
