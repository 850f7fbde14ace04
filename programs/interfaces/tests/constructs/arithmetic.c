// calls: f,g; length 5
int err; static short n = -7; static unsigned char u = 3;
void f(void) { n = n / 2 - n % 3; u = u * 3u - 1u; u /= 2; }
void g(void) { if (n > 1 || u % 7 == 6) err = 1; if (n < (long)u - 5) n++; if (-1 < u) n++; if (n > 9) n = 0; }
