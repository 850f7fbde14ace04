extern void __VERIFIER_assert(int);
typedef int fn(int);
static fn f;
static int f(int x) { return x + 1; }
int main(void) { __VERIFIER_assert(f(1) == 1); return 0; }
