extern void __VERIFIER_assert(int);
int main(void){ int n=3,i=0; __typeof__(int[(i++,n)]) a; a[0]=0; __VERIFIER_assert(i==0); return a[0]; }
