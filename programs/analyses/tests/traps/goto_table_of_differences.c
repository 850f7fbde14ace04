extern void __VERIFIER_assert(int);
int main(void) { static const int t[] = {&&a - &&a, &&b - &&a}; goto *(&&a + t[1]); a: return 0; b: __VERIFIER_assert(0); return 0; }
