extern void __VERIFIER_assert(int);
int main(void) { unsigned u = 0; u--; __VERIFIER_assert(u == -1L); return 0; }
