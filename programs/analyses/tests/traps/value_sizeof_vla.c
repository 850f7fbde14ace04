extern void __VERIFIER_assert(int);
int main(void) { int n = 3, m; { int a[n]; n = 5; m = sizeof a; } __VERIFIER_assert(m == 20); return 0; }
