extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(__builtin_choose_expr(1, 0, 1)); return 0; }
