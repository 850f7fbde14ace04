extern void abort(void);
void __VERIFIER_assert(int c) { if (!c) abort(); }
int main(void) { __VERIFIER_assert(0); return 0; }
