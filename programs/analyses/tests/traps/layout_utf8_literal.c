extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(sizeof(u8"\u00e9") == 2); return 0; }
