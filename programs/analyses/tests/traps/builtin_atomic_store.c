extern void __VERIFIER_assert(int);
int main(void) { int x = 1; __atomic_store_n(&x, 2, 5); __VERIFIER_assert(x == 1); return 0; }
