extern void __VERIFIER_assert(int);
static int n;
static void assert_later(int x) { n = x; }
int main(void) { assert_later(1); __VERIFIER_assert(n == 0); return 0; }
