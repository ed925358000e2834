# SPDX-License-Identifier: MIT
"""Spack's recipe; it builds the newest commit of the clone that it stands in."""
import os

from spack.package import *

try:
    from spack_repo.builtin.build_systems.autotools import AutotoolsPackage
except ImportError:  # before Spack 1.0 it is among spack.package's
    pass


class Libranges(AutotoolsPackage):
    """Records the NVTX ranges and the CUDA work of programs, which are not rebuilt, into logs that
    survive their death, and analyzes these logs and traces of PyTorch's profiler."""

    git = "file://" + os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 4))

    license("MIT")

    version("main")  # what the clone has checked out

    variant("libdeflate", default=True, description="Compress and inflate with libdeflate")
    variant("sqlite", default=True, description="Read and write exports of NVIDIA Nsight Systems")
    variant("unpack", default=True, description="Read inputs packed by zstd, xz and bzip2")
    variant("mpi", default=False, description="Build analyzer-mpi, for the ranks of an MPI job")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("autoconf@2.71:", type="build")
    depends_on("automake@1.16:", type="build")
    depends_on("libtool", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("zlib-api")
    depends_on("msgpack-c@3:")
    depends_on("libdeflate", when="+libdeflate")
    depends_on("sqlite", when="+sqlite")
    depends_on("zstd", when="+unpack")
    depends_on("xz", when="+unpack")
    depends_on("bzip2", when="+unpack")
    depends_on("mpi", when="+mpi")
    depends_on("python", type="test")

    def autoreconf(self, spec, prefix):
        Executable("./bootstrap")()

    def configure_args(self):
        args = ["--with-cuda-headers=no"]
        args += self.with_or_without("libdeflate")
        args += self.with_or_without("sqlite")
        for library in ("zstd", "lzma", "bzip2"):
            args += self.with_or_without(library, variant="unpack")
        args += self.with_or_without("mpi")
        return args
