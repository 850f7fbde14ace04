extern void __VERIFIER_assert(int);
struct s { int a[2]; int b; };
int main(void) { struct s s = {1, 2, 3}; __VERIFIER_assert(s.b == 2); return 0; }
