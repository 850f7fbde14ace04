extern void __VERIFIER_assert(int);
struct s { char c; _Alignas(16) int x; };
int main(void) { __VERIFIER_assert(sizeof(struct s) == 8); return 0; }
