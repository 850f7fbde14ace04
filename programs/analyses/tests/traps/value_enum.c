extern void __VERIFIER_assert(int);
enum e { A = 3, B, C = 3 };
int main(void) { __VERIFIER_assert(B == 1); return 0; }
