extern void __VERIFIER_assert(int);
struct s { int a, b; };
static int f(struct s s) { return s.b; }
int main(void) { __VERIFIER_assert(f((struct s){.b = 3}) == 0); return 0; }
