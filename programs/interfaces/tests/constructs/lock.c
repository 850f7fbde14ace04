// calls: f,g,h; length 5
int err; static _Bool lock; static int owner = -1;
void f(int who) { if (lock) { err = 1; return; } lock = who & 3; owner = who & 3; }
void g(int who) { if (owner != (who & 3)) err = 1; lock = 0; owner = -1; }
void h(void) { if (lock && owner == 2) err = 1; }
