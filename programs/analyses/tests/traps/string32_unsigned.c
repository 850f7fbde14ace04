extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(U"\xffffffff"[0] < 0); return 0; }
