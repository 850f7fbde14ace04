extern void __VERIFIER_assert(int);
struct s { char c; int x __attribute__((aligned(16))); };
int main(void) { __VERIFIER_assert(sizeof(struct s) == 8); return 0; }
