extern void __VERIFIER_assert(int);
enum e { A = -1 };
int main(void) { enum e x = A; __VERIFIER_assert(x > 0); return 0; }
