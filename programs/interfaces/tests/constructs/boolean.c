// calls: f,g; length 6
int err; static _Bool b = 5; static unsigned char c = (unsigned char)-1; static int n = 3 > 2;
void f(void) { b = !b; c++; n = c == 3; }
void g(void) { if ((b == 1 && c == 255 && n == 1) || n) err = 1; }
