extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(sizeof(__func__) == 1); return 0; }
