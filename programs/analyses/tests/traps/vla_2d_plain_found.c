extern void __VERIFIER_assert(int);
int main(void){ int n=3; int a[2][n]; a[1][0]=0; __VERIFIER_assert(0); return 0; }
