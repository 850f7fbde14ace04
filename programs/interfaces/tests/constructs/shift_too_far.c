// calls: more,use,down; length 6
static int k = 30; static long wide; static int x;
void more(void) { k += 1; if (k == 34) k = -1; }
void use(void) { x = 1 << k; }
void down(void) { wide = 1L << k; wide = wide >> (k + 30); }
