"""C libraries, called without a compiler."""

import ctypes
import ctypes.util

import pam


def load(name):
    """The library lib<name>, or the message that it is not installed."""
    with pam.needed():
        found = ctypes.util.find_library(name)
        if not found:
            raise OSError(f"lib{name}")
        return ctypes.CDLL(found)


def function(library, name, result, *arguments):
    """A function of the library, with its types."""
    call = getattr(library, name)
    call.restype, call.argtypes = result, arguments
    return call
