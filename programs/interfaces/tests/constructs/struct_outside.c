// calls: f,g; length 6
static struct s { int n; } a[2], b; static int k;
void f(void) { k = 1; a[2] = b; }
void g(void) { k = 0; b = a[1]; }
