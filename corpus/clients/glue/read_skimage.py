"""scikit-image: the first page as it comes, by its plug-in on tifffile."""

import pam
import tags

with pam.needed():
    from skimage import io

pam.run(lambda file: pam.stored(io.imread(file, plugin="tifffile", key=0), tags.FirstPage(file)))
