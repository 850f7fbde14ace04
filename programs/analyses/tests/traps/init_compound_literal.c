extern void __VERIFIER_assert(int);
int main(void) { int *p = (int[]){1, 2}; p[0] = 3; __VERIFIER_assert(p[0] == 1); return 0; }
