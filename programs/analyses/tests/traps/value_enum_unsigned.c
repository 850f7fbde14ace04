extern void __VERIFIER_assert(int);
enum e { A, B };
int main(void) { enum e x = A; x = x - 1; __VERIFIER_assert(x < 0); return 0; }
