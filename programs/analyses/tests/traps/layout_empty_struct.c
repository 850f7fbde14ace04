extern void __VERIFIER_assert(int);
struct s { };
int main(void) { __VERIFIER_assert(sizeof(struct s) == 1); return 0; }
