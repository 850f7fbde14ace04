// calls: f,g; length 6
int err; static int n;
void f(void) { switch (n) { case 0: n = 2; break; case 2: n++; case 3: n++; break; default: n = 0; } }
void g(void) { n = n == 4 ? -n : ~n; if (n == -4) err = 1; n = n < -9 ? 0 : n; }
