extern void __VERIFIER_assert(int);
struct s { char n; int data[0]; };
int main(void) { __VERIFIER_assert(sizeof(struct s) == 1); return 0; }
