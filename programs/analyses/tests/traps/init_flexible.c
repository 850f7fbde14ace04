extern void __VERIFIER_assert(int);
static struct { int n; int data[]; } s = {1, {2, 3}};
int main(void) { __VERIFIER_assert(s.data[1] == 0); return 0; }
