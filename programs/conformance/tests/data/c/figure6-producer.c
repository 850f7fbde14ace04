void writeInt(int), writeChar(int);
int which(void);

static void outputInt(void) { writeInt(1); }

int main(void) {
    if (which()) {
        outputInt();
    } else {
        writeChar('('); outputInt(); writeChar(')');
    }
    return 0;
}
