extern void __VERIFIER_assert(int);
int main(void) { int x = 0; { __label__ out; goto out; x = 1; out:; } __VERIFIER_assert(x == 1); return 0; }
