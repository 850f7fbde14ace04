extern void __VERIFIER_assert(int);
static int two(void) { return 2; }
static int (*get(int k))(void) { return two; }
int main(void) { __VERIFIER_assert(get(0)() == 0); return 0; }
