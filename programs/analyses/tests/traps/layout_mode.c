extern void __VERIFIER_assert(int);
typedef int small __attribute__((mode(QI)));
int main(void) { small s = (small)300; __VERIFIER_assert(s == 300); return 0; }
