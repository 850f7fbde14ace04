extern void __VERIFIER_assert(int);
struct s { int a, b; };
int main(void) { struct s s = {.b = 1, .a = 2}; __VERIFIER_assert(s.a == 1); return 0; }
