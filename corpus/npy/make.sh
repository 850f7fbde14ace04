#!/bin/sh
# Makes the seeds of npy from a few numbers, by the programs that their names begin with: NumPy 1.24.2 (np), MLX 0.32.4
# (mlx), xtensor 0.24.3 (xt), the crate npyz 0.9.1 (npyz). MLX_PYTHON is a Python that has MLX.
set -e
cd "$(dirname "$0")"
/usr/bin/python3 -c '
import numpy as np
a = np.arange(12, dtype="<f8").reshape(3, 4) / 7
np.save("np64.npy", a)
np.save("np16f.npy", np.asfortranarray((a * 999).astype(">i2")))
np.save("np8.npy", (a[0] * 99).astype("u1"))
'
"${MLX_PYTHON:-python3}" -c '
import mlx.core as mx
mx.save("mlx32.npy", mx.arange(10, dtype=mx.float32).reshape(2, 5) / 3)
'
work=$(mktemp -d)
cat > "$work/xt.cpp" <<'END'
#include <xtensor/xarray.hpp>
#include <xtensor/xnpy.hpp>
int main() { xt::dump_npy("xt32.npy", xt::xarray<int>{{1, -2, 300}, {40000, 5, -600000}}); }
END
g++ -std=c++17 -O0 -o "$work/xt" "$work/xt.cpp"
"$work/xt"
cargo init --quiet --vcs none --name npyz_seed "$work/npyz"
cargo add --quiet --manifest-path "$work/npyz/Cargo.toml" npyz@=0.9.1
cat > "$work/npyz/src/main.rs" <<'END'
use npyz::WriterBuilder;
fn main() {
    let file = std::fs::File::create("npyz16.npy").unwrap();
    let options = npyz::WriteOptions::new().default_dtype().shape(&[7]).writer(file);
    let mut out = options.begin_nd().unwrap();
    out.extend([1u16, 20, 300, 4000, 50000, 6, 65535]).unwrap();
    out.finish().unwrap();
}
END
cargo run --quiet --manifest-path "$work/npyz/Cargo.toml"
rm -r "$work"
