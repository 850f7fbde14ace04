#include "sensor.h"

static void updateReading(int *setting, int *valid) {
    *setting = readDouble();
    *valid = readBool();
}

int main(void) {
    int setting, valid;
    while (more()) {
        readBool();
        updateReading(&setting, &valid);
    }
    return 0;
}
