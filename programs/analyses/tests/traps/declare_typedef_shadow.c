extern void __VERIFIER_assert(int);
typedef int T;
int main(void) { char T = 1; __VERIFIER_assert(sizeof(T) == 4); return 0; }
