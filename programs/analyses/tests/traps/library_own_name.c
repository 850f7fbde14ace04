extern void __VERIFIER_assert(int);
int atoi(const char *s) { return 7; }
int main(void) { __VERIFIER_assert(atoi("3") == 3); return 0; }
