extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert('\377' == 255); return 0; }
