extern void __VERIFIER_assert(int);
static int two(void) { return 2; }
static const struct ops { int (*get)(void); } ops = {.get = two};
int main(void) { __VERIFIER_assert(ops.get() == 0); return 0; }
