extern void __VERIFIER_assert(int);
struct s { int a[2]; };
int main(void) { struct s x = {{1, 2}}, y = x; x.a[0] = 9; y = x; __VERIFIER_assert(y.a[0] == 1); return 0; }
