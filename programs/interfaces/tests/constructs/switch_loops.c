// calls: f,g; length 5
int err; static int s;
void f(void) { int a[3] = {1, 2}; a[2] += s; s = a[0] + a[2]; if (s > 4) s = 0; { static int cnt; cnt++; if (cnt == 4) { cnt = 0; s = 9; } } }
void g(void) { for (int i = 0; i < s; i++) { if (i == 3) { err = 1; break; } if (i & 1) continue; } if (s < -3) s = 0; do s--; while (s > 3); }
