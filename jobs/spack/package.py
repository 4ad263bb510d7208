"""Spack recipe. From a clone of the sources, without a repository of recipes:

    spack repo create damabase-repo && mkdir -p damabase-repo/packages/damabase
    cp jobs/spack/package.py damabase-repo/packages/damabase/
    spack repo add damabase-repo
    spack dev-build damabase@main        # in the folder of the sources
"""

from spack.package import *


class Damabase(MakefilePackage):
    """Endgame tables for draughts games: a generator for clusters, and programs and a library that answer from
    its tables."""

    license("MIT")

    # There is no public address yet: dev-build takes the sources of the folder it is called in.
    version("main")

    depends_on("c", type="build")
    depends_on("gmake", type="build")
    # Tried with Open MPI 4.1 only. Exit codes and signals pass through its mpirun as the job scripts need it.
    depends_on("mpi")
    depends_on("zstd")
    depends_on("xxhash")
    depends_on("jansson")
    depends_on("cmocka", type="test")

    # Without the check for Debian's packages, which the default target begins with.
    build_targets = ["programs"]

    def edit(self, spec, prefix):
        """Nothing to edit: all settings are variables of make."""

    @property
    def settings(self):
        # Spack's compiler chooses the processor. MPI's compiler is asked by its path.
        return ["ARCH=", f"MPICC={self.spec['mpi'].mpicc}", f"PREFIX={self.prefix}"]

    def build(self, spec, prefix):
        make(*self.settings, *self.build_targets)

    def check(self):
        make(*self.settings, "unit-tests")
        Executable("tests/run")("short")

    def install(self, spec, prefix):
        make(*self.settings, "install")
        install_tree("jobs", prefix.share.damabase.jobs)
        install_tree("docs", prefix.share.damabase.docs)
