extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(sizeof(long double) == 8); return 0; }
