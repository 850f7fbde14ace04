extern void __VERIFIER_assert(int);
static int (*(f)(int x))(void);
static int two(void) { return 2; }
static int (*(f)(int x))(void) { return x ? two : 0; }
int main(void) { __VERIFIER_assert(f(1)() == 0); return 0; }
