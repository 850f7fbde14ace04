extern void __VERIFIER_assert(int);
struct s { char c; struct { char d; } in __attribute__((aligned(8))); };
int main(void) { struct s s; __VERIFIER_assert((char *)&s.in - (char *)&s == 1); return 0; }
