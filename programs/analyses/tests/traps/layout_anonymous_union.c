extern void __VERIFIER_assert(int);
struct s { union { int a; int b; }; };
int main(void) { struct s s; s.a = 0; s.b = 4; __VERIFIER_assert(s.a == 0); return 0; }
