extern void __VERIFIER_assert(int);
static int one(void) { return 1; } static int two(void) { return 2; }
static int (*table[2])(void) = {one, two};
int main(void) { __VERIFIER_assert(table[1]() == 1); return 0; }
