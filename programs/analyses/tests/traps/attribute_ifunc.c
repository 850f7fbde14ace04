extern void __VERIFIER_assert(int);
static int one(void) { return 1; }
static int (*resolve(void))(void) { return one; }
int pick(void) __attribute__((ifunc("resolve")));
int main(void) { __VERIFIER_assert(pick() == 0); return 0; }
