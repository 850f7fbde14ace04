extern void __VERIFIER_assert(int);
int main(void) { int n = 3; int (*p)[n] = 0; n = 9; __VERIFIER_assert(sizeof *p == 36); return 0; }
