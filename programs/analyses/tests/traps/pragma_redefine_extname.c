extern void __VERIFIER_assert(int);
#pragma redefine_extname name_a name_b
static int n;
extern int name_a(void);
int name_b(void) { return 1; }
int main(void) { __VERIFIER_assert(name_a() == 0); return 0; }
