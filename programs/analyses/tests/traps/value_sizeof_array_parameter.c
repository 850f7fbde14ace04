extern void __VERIFIER_assert(int);
static unsigned long f(int a[10]) { return sizeof a; }
int main(void) { int a[10]; __VERIFIER_assert(f(a) == 40); return 0; }
