extern void __VERIFIER_assert(int);
static int (*(f))(int);
static int one(int x) { return 1; }
int main(void) { f = one; __VERIFIER_assert(f(0) == 0); return 0; }
