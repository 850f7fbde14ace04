// calls: set,clr,chk; length 7
int err; static unsigned long long bits; static int k;
void set(void) { bits |= 1ull << (k * 9); k = (k + 1) % 5; }
void clr(void) { bits &= ~(1ull << (k * 9)); }
void chk(void) { if ((bits >> 9 & 1) && (bits >> 36 & 1)) err = 1; if (bits == (1ull << 18 | 1)) err = 2; }
