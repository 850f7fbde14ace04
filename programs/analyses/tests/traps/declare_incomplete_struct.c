extern void __VERIFIER_assert(int);
struct s; static struct s *p;
struct s { int x; };
int main(void) { struct s s = {3}; p = &s; __VERIFIER_assert(p->x == 0); return 0; }
