extern void __VERIFIER_assert(int);
struct s { unsigned a : 3; unsigned b : 5; };
int main(void) { struct s s = {0}; s.a = 9; __VERIFIER_assert(s.a == 9); return 0; }
