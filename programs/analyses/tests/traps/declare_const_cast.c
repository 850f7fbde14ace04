extern void __VERIFIER_assert(int);
int main(void) { int x = 1; const int *p = &x; *(int *)p = 2; __VERIFIER_assert(x == 1); return 0; }
