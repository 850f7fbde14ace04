extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(sizeof("\x4" "1") == 2); return 0; }
