"""The array in a file of npy, as MLX loads it. It decides by the extension of the name."""

import arrays
import pam

with pam.needed():
    import mlx.core as mlx
    import numpy

mlx.set_default_device(mlx.cpu)
pam.serve(lambda file: arrays.encode(numpy.array(mlx.load(file, format="npy"))))
