extern void __VERIFIER_assert(int);
static void *b[5];
static __attribute__((noinline)) void f(void) { __builtin_longjmp(b, 1); }
int main(void) { if (__builtin_setjmp(b) == 0) f(); __VERIFIER_assert(0); return 0; }
