extern void __VERIFIER_assert(int);
struct s { char a; int b[4]; };
int main(void) { __VERIFIER_assert(__builtin_offsetof(struct s, b[2]) == 4); return 0; }
