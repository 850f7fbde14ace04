extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert("a" "b"[0] == 'a' && sizeof("a" "b") == 2); return 0; }
