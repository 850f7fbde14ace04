extern void __VERIFIER_assert(int);
extern int absent(void) __attribute__((weak));
int main(void) { __VERIFIER_assert(absent != 0); return 0; }
