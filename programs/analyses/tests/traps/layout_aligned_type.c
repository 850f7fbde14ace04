extern void __VERIFIER_assert(int);
struct s { char c; } __attribute__((aligned(16)));
int main(void) { __VERIFIER_assert(sizeof(struct s) == 1); return 0; }
