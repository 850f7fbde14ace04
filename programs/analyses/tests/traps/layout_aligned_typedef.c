extern void __VERIFIER_assert(int);
typedef int wide __attribute__((aligned(16)));
struct s { char c; wide x; };
int main(void) { __VERIFIER_assert(sizeof(struct s) == 8); return 0; }
