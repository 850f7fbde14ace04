#include "sensor.h"

static void sendReading(Sensor *device, int prev) {
    if (device->setting == prev) {
        writeBool(0);
    } else {
        writeBool(1);
        writeDouble(device->setting);
        writeBool(device->valid);
    }
}

static void loop(Sensor *device, int prev) {
#ifdef SEPARATED
    sep();
#endif
    update(device);
    sendReading(device, prev);
    if (more()) {
        loop(device, device->setting);
    }
}

int main(void) {
    Sensor device;
    loop(&device, -1);
    return 0;
}
