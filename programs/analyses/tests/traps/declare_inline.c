extern void __VERIFIER_assert(int);
inline int f(void) { return 1; }
extern int f(void);
int main(void) { __VERIFIER_assert(f() == 0); return 0; }
