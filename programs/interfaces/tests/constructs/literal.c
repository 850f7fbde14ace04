// calls: next,use; length 6
int err;
static int n;
void next(void) { if ("go!"[n] != 0) n++; }
void use(void) { if ("go!"[n] == '!') err = 1; n += "\1\2\377"[n & 1] - 1; if (n > 9) n = 9; }
