extern void __VERIFIER_assert(int);
int main(void) { int i = 0; (void)sizeof(i++); __VERIFIER_assert(i == 1); return 0; }
