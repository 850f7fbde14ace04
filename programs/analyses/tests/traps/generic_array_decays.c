extern void __VERIFIER_assert(int);
int main(void) { int a[2]; __VERIFIER_assert(_Generic(a, int *: 0, default: 1)); return 0; }
