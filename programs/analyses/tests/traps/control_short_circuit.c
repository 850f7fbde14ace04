extern void __VERIFIER_assert(int);
int main(void) { int x = 0; (void)(0 && x++); (void)(1 || x++); __VERIFIER_assert(x == 1); return 0; }
