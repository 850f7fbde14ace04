extern void __VERIFIER_assert(int);
static int f(void) { __VERIFIER_assert(0); return 1; }
int main(void) { while (f()) break; return 0; }
