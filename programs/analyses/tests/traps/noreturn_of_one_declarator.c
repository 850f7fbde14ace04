extern void __VERIFIER_assert(int);
extern void abort(void) __attribute__((noreturn)), srand(unsigned);
int main(void) { srand(1); __VERIFIER_assert(0); return 0; }
