// calls: f,g; length 5
int err; static int open_;
static int length(const char *text) { int n = 0; const char *p = text; while (n < 3 && *p) { p++; n++; } return n; }
void f(const char *text) { length(text); open_ = 1; }
void g(char *to) { char *q = to; if (!open_) { err = 1; return; } *q++ = 1; *q = 0; }
