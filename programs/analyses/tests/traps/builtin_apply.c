extern void __VERIFIER_assert(int);
static int g;
static void f(void) { g = 1; }
int main(void) { __builtin_apply((void (*)())f, __builtin_apply_args(), 64); __VERIFIER_assert(g == 0); return 0; }
