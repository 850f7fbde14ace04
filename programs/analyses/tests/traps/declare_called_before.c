extern void __VERIFIER_assert(int);
int main() { return other(2); }
int other(int x) { __VERIFIER_assert(x != 2); return 0; }
