extern void __VERIFIER_assert(int);
int main(void) { int a[2] = {1, 2}; void *p = a; p += 4; __VERIFIER_assert(*(int *)p == 1); return 0; }
