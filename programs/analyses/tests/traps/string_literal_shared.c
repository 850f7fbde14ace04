extern void __VERIFIER_assert(int);
int main(void) { const char *p = "ab", *q = "ab"; __VERIFIER_assert(p != q); return 0; }
