extern void __VERIFIER_assert(int);
enum e { A = 0xffffffff };
int main(void) { __VERIFIER_assert(A > -1); return 0; }
