extern void __VERIFIER_assert(int);
struct s { int a : 3; };
int main(void) { struct s s; s.a = 7; __VERIFIER_assert(s.a > 0); return 0; }
