extern void __VERIFIER_assert(int);
extern void abort(void);
int main(void) { if (__builtin_expect(1, 0)) __VERIFIER_assert(0); return 0; }
