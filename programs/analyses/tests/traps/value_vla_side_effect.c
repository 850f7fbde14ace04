extern void __VERIFIER_assert(int);
int main(void) { int n = 3; (void)sizeof(int[n++]); __VERIFIER_assert(n == 3); return 0; }
