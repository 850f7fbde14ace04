extern void __VERIFIER_assert(int);
static void f(void (*g)(void) __attribute__((noreturn))) { }
int main(void) { f(0); __VERIFIER_assert(0); return 0; }
