extern void __VERIFIER_assert(int);
int main(void) { char a[3] = "abc"; __VERIFIER_assert(a[2] == 0); return 0; }
