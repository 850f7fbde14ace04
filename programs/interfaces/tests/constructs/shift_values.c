// calls: up,more,use; length 6
int err;
static unsigned char v = 3; static int k; static long far = 5;
void up(void) { v = v << k; far = far << (k + 1); }
void more(void) { if (k < 3) k++; else k = 0; }
void use(void) { if (v == 12 || v == 128 || far == 40 || 7 >> k == 1) err = 1; }
