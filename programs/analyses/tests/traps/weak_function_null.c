extern void __VERIFIER_assert(int);
extern void absent(void) __attribute__((weak));
int main(void) { void (*p)(void) = absent; __VERIFIER_assert(p != 0); return 0; }
