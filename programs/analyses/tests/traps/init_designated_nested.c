extern void __VERIFIER_assert(int);
struct s { int a[2]; struct { int x, y; } p; };
int main(void) { struct s s = {.p.y = 4, .a[1] = 3}; __VERIFIER_assert(s.p.y == 0 || s.a[1] == 0); return 0; }
