extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert((long double)9007199254740993L == 9007199254740992.0); return 0; }
