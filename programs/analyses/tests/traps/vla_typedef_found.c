extern void __VERIFIER_assert(int);
int main(void){ int n=3,i=0; typedef int T[(i++,n)]; T a; a[0]=0; __VERIFIER_assert(i==0); return a[0]; }
