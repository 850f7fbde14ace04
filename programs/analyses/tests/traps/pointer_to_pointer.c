extern void __VERIFIER_assert(int);
static void set(int **p, int *q) { *p = q; }
int main(void) { int x = 1, y = 2, *p = &x; set(&p, &y); *p = 3; __VERIFIER_assert(y == 2); return 0; }
