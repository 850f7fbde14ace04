// calls: f,g; length 6
int err; static double x; static int n;
void f(void) { x += 0.5; if (n < 3) n++; }
void g(void) { x = n * 2.0; if (n == 2) err = 1; }
