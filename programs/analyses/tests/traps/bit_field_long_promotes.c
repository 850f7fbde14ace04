extern void __VERIFIER_assert(int);
struct s { unsigned long a : 3; };
int main(void) { struct s s; s.a = 0; __VERIFIER_assert(s.a - 1 > 0); return 0; }
