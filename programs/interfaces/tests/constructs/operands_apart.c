// calls: f,use; length 6
int err; static int n = 1, m; static int a[4];
static int g(void) { return n = n % 3 + 1; }
static int h(void) { return m = (m + 2) % 4; }
static int sum(int x, int y) { return x + y; }
void f(void) { if (g() + h() > 5) err = 1; a[m] = n; }
void use(int k) { int i = 0; a[i++] = sum(g(), k & 1); if (a[0] == 4 || i != 1) err = 1; }
