// calls: step,test; length 6
int err; static int n;
static int hex(int c) { return "0123456789abcdef"[c & 15]; }
void step(void) { n = n * 5 + 3; n %= 17; }
void test(void) { if (hex(n) == 'd') err = 1; if (*"xyz" != 'x') err = 1; if ("ab"[n > 13 ? 5 : 0] != 'a') err = 1; }
