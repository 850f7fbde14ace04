extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(sizeof('a') == 1); return 0; }
