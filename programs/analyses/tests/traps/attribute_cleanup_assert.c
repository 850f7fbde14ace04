extern void __VERIFIER_assert(int);
static void drop(int *p) { __VERIFIER_assert(*p == 0); }
int main(void) { int x __attribute__((__cleanup__(drop))) = 5; return 0; }
