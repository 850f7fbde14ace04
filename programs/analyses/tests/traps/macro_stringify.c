extern void __VERIFIER_assert(int);
#define S(x) #x
int main(void) { __VERIFIER_assert(sizeof(S(a b)) == 3); return 0; }
