extern void __VERIFIER_assert(int);
struct s { signed a : 1; };
int main(void) { struct s s; s.a = 1; __VERIFIER_assert(s.a == 1); return 0; }
