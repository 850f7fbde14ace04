extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(sizeof(2147483648) == 4); return 0; }
