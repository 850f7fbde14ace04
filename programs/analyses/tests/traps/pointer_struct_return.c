extern void __VERIFIER_assert(int);
struct s { int a[2]; };
static struct s f(void) { struct s s = {{1, 2}}; return s; }
int main(void) { __VERIFIER_assert(f().a[1] == 1); return 0; }
