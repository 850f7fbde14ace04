extern void __VERIFIER_assert(int);
extern int absent(void);
#pragma weak absent
int main(void) { __VERIFIER_assert(absent != 0); return 0; }
