extern void __VERIFIER_assert(int);
static int a[] = {[5] = 1};
int main(void) { __VERIFIER_assert(sizeof a == 4); return 0; }
