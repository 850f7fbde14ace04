extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(sizeof("\u00e9") == 2); return 0; }
