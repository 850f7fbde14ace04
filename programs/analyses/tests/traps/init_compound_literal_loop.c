extern void __VERIFIER_assert(int);
int main(void) { int *p[2]; for (int i = 0; i < 2; i++) p[i] = (int[]){i}; __VERIFIER_assert(*p[1] == 0); return 0; }
