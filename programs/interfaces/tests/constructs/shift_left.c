// calls: choose,use; length 4
int err;
static unsigned mask; static int k;
void choose(int n) { k = (n & 7) * 5; }
void use(void) { mask |= 1u << k; if (mask == 0x401u || (1 << k) < 0) err = 1; }
