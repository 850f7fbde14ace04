extern void __VERIFIER_assert(int);
struct s { int n; char data[]; };
int main(void) { __VERIFIER_assert(sizeof(struct s) == 5); return 0; }
