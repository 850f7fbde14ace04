extern void __VERIFIER_assert(int);
_Alignas(32) static char c;
int main(void) { __VERIFIER_assert(__alignof__(c) == 1); return 0; }
