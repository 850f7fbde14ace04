// calls: f,g; length 6
int err; static int n; static long long w = 1;
static int pick(int a, int b) { return a > b ? a : b; }
void f(void) { n = pick(n ? n++ : 3, 2); w = w * 3 % 7; if (n > 6) n = 0; }
void g(void) { if (n == 5 || w == 6) err = 1; n = (n == 3, n + 1) % 7; }
