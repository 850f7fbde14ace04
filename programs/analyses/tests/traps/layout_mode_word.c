extern void __VERIFIER_assert(int);
typedef unsigned int word __attribute__((__mode__(__DI__)));
int main(void) { __VERIFIER_assert(sizeof(word) == 4); return 0; }
