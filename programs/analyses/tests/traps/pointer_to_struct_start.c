extern void __VERIFIER_assert(int);
struct s { int a, b; };
int main(void) { struct s s = {1, 2}; *(int *)&s = 5; __VERIFIER_assert(s.a == 1); return 0; }
