extern void __VERIFIER_assert(int);
struct s { int a, b; };
int main(void) { struct s s = {b: 4}; __VERIFIER_assert(s.b == 0); return 0; }
