extern void __VERIFIER_assert(int);
int main(void) { int r = 0; __builtin_add_overflow(1, 2, &r); __VERIFIER_assert(r == 0); return 0; }
