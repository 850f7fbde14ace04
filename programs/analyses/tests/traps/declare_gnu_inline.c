extern void __VERIFIER_assert(int);
extern inline __attribute__((gnu_inline)) int five(void) { return 0; }
int caller(void);
int main(void) { int (*volatile p)(void) = caller; __VERIFIER_assert(p() == 0); return 0; }
int caller(void) { return 5; }
