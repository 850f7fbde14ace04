extern void __VERIFIER_assert(int);
int main(void) { const int c = 1; __VERIFIER_assert(_Generic(&c, int *: 1, const int *: 0)); return 0; }
