// calls: next,use; refused 5: memory behind this pointer is not modelled
int err;
static const char *text = "ab"; static int n;
void next(void) { n = !n; }
void use(void) { if (text[n] == 'b') err = 1; }
