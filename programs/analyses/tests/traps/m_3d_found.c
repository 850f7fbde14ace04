extern void __VERIFIER_assert(int);
int main(void){ int n=2; int m[2][2][n]; m[1][1][1]=4; __VERIFIER_assert(m[1][1][1]==0); return 0; }
