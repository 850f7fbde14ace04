extern void __VERIFIER_assert(int);
int main(void) { int n = 3; struct { char c; int a[n]; } s; __VERIFIER_assert(sizeof s == 4); return 0; }
