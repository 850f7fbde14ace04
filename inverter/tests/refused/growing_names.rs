struct X {
    a: u8,
    b: u8,
}

struct Y {
    c: u64,
}

fn normalize(x: &X, y: &mut Y) {
    let k0 = x.a + x.b;
    let k1 = k0 + k0;
    let k2 = k1 + k1;
    let k3 = k2 + k2;
    let k4 = k3 + k3;
    let k5 = k4 + k4;
    let k6 = k5 + k5;
    let k7 = k6 + k6;
    let k8 = k7 + k7;
    let k9 = k8 + k8;
    let k10 = k9 + k9;
    let k11 = k10 + k10;
    let k12 = k11 + k11;
    let k13 = k12 + k12;
    let k14 = k13 + k13;
    let k15 = k14 + k14;
    let k16 = k15 + k15;
    let k17 = k16 + k16;
    let k18 = k17 + k17;
    let k19 = k18 + k18;
    let k20 = k19 + k19;
    let k21 = k20 + k20;
    let k22 = k21 + k21;
    let k23 = k22 + k22;
    let k24 = k23 + k23;
    let k25 = k24 + k24;
    let k26 = k25 + k25;
    let k27 = k26 + k26;
    let k28 = k27 + k27;
    let k29 = k28 + k28;
    let k30 = k29 + k29;
    let k31 = k30 + k30;
    let k32 = k31 + k31;
    let k33 = k32 + k32;
    let k34 = k33 + k33;
    let k35 = k34 + k34;
    let k36 = k35 + k35;
    let k37 = k36 + k36;
    let k38 = k37 + k37;
    let k39 = k38 + k38;
    let k40 = k39 + k39;
    y.c = k40;
}
