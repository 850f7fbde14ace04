extern void __VERIFIER_assert(int);
static void stop(int k) { if (k) __VERIFIER_assert(0); }
int main(void) { stop(1); return 0; }
