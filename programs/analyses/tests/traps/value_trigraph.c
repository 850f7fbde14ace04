extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(sizeof("??=") == 2); return 0; }
