extern void __VERIFIER_assert(int);
static void assert_not(int x) { __VERIFIER_assert(!x); }
int main(void) { assert_not(1); return 0; }
