extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(sizeof("a" L"b") == 3); return 0; }
