extern void __VERIFIER_assert(int);
extern int a[];
static int sum(void) { return a[0] + a[1]; }
int main(void) { __VERIFIER_assert(sum() == 0); return 0; }
int a[] = {1, 2};
