extern void __VERIFIER_assert(int);
int main(void) { void *t[] = {&&a, &&b}; goto *t[1]; a: return 0; b: __VERIFIER_assert(0); return 0; }
