extern void __VERIFIER_assert(int);
int main(void) { char a[] = {"xyz"}; __VERIFIER_assert(a[1] == 0); return 0; }
