extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(sizeof(_Float16) == 4); return 0; }
