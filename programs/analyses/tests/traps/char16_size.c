extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(sizeof(u'a') == 4); return 0; }
