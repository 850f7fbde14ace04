int readInt(void), readChar(void), which(void);

static void inputInt1(void) { readInt(); }
static void inputInt2(void) { readInt(); }

int main(void) {
    if (which()) {
        inputInt1();
    } else {
        readChar(); inputInt2(); readChar();
    }
    return 0;
}
