extern void __VERIFIER_assert(int);
struct s { int a; };
int main(void) { struct s { char a; }; __VERIFIER_assert(sizeof(struct s) == 4); return 0; }
