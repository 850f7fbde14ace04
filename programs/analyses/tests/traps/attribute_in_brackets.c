extern void __VERIFIER_assert(int);
[[gnu::constructor]] static void first(void) { __VERIFIER_assert(0); }
int main(void) { __VERIFIER_assert(1); return 0; }
