// calls: f,g; length 6
int err; static struct { unsigned a : 2; int b : 3; unsigned char c : 1; } s = { 3, -4, 1 };
void f(void) { s.a++; s.b = s.b + 3; s.c = s.c + 1; }
void g(void) { if (s.a == 2 || s.b == 2 || (s.c && s.b < -2)) err = 1; }
