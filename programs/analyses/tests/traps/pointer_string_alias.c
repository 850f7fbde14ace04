extern void __VERIFIER_assert(int);
int main(void) { char a[4] = "abc", *p = a + 1; *p = 'x'; __VERIFIER_assert(a[1] == 'b'); return 0; }
