extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert('ab' == 'b'); return 0; }
