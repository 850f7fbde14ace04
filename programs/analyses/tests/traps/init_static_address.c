extern void __VERIFIER_assert(int);
static int g = 3; static int *p = &g; static int **q = &p;
int main(void) { **q = 4; __VERIFIER_assert(g == 3); return 0; }
