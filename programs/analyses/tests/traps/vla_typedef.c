extern void __VERIFIER_assert(int);
int main(void) { int n = 3; typedef int T[n]; n = 5; T a; __VERIFIER_assert(sizeof a == 20); return 0; }
