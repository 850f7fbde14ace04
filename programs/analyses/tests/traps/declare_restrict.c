extern void __VERIFIER_assert(int);
static void f(int *restrict a) { *a = 2; }
int main(void) { int x = 1; f(&x); __VERIFIER_assert(x == 1); return 0; }
