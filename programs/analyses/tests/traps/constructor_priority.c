extern void __VERIFIER_assert(int);
static int g;
__attribute__((noinline, constructor(200))) static void first(void) { g = 1; }
int main(void) { __VERIFIER_assert(g == 0); return 0; }
