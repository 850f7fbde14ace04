#include "sensor.h"

static void updateReading(int *setting, int *valid) {
    *setting = readDouble();
#ifndef FORGETFUL
    *valid = readBool();
#endif
}

int main(void) {
    int setting, valid;
    while (more()) {
#ifdef SEPARATED
        sep();
#endif
        if (readBool()) {
            updateReading(&setting, &valid);
        }
    }
    return 0;
}
