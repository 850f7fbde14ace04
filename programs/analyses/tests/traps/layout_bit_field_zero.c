extern void __VERIFIER_assert(int);
struct s { char a : 1; int : 0; char b : 1; };
int main(void) { __VERIFIER_assert(sizeof(struct s) == 4); return 0; }
