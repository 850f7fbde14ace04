extern void __VERIFIER_assert(int);
static int g;
static void first(void) __attribute__((constructor));
static void first(void) { g = 1; }
int main(void) { __VERIFIER_assert(g == 0); return 0; }
