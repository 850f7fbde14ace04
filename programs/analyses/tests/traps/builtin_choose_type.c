extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(__builtin_choose_expr(1, 5000000000, 0) < 4000000000); return 0; }
