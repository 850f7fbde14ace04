extern void __VERIFIER_assert(int);
static int f(void) { extern void abort(void) __attribute__((noreturn)); return 1; }
int main(void) { f(); __VERIFIER_assert(0); return 0; }
