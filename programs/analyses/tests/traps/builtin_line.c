extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(__builtin_LINE() == 0); return 0; }
