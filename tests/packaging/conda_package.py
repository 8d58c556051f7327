#!/usr/bin/env python3
"""Builds the offline recipe, installs the package into an empty prefix from a local channel, and runs its tests there.

usage: conda_package.py RECIPE WORK_DIR      (needs rattler_build, rattler)
"""
import asyncio
import os
import pathlib
import shutil
import subprocess
import sys
import warnings

import rattler
import rattler_build


def build(recipe, channel):
    """Leaves CHANNEL/linux-64/genomamba-*.conda and nothing of the build."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        rattler_build.build_recipes([recipe], output_dir=channel, channel=[], test="skip", no_build_id=True)
    shutil.rmtree(channel / "bld", ignore_errors=True)
    packages = sorted(channel.glob("*/*.conda"))
    if len(packages) != 1:
        sys.exit(f"{channel}: one package is expected, found {packages}")
    return packages[0]


async def install(channel, prefix):
    records = await rattler.solve([channel.as_uri()], ["genomamba"], platforms=["linux-64", "noarch"])
    await rattler.install(records, target_prefix=prefix, cache_dir=channel / "cache", show_progress=False)
    return records


def run_tests(package, prefix, folder):
    """The script tests that the package itself carries."""
    folder.mkdir()
    n_commands = 0
    environment = {"PATH": f"{prefix}/bin:/usr/bin:/bin", "PREFIX": str(prefix), "HOME": str(folder), "LC_ALL": "C"}
    for test in rattler_build.Package.from_file(package).tests:
        commands = test.to_dict()["script"]
        commands = commands if isinstance(commands, list) else commands.get("content", commands)
        for command in commands if isinstance(commands, list) else commands.splitlines():
            result = subprocess.run(["bash", "-ec", command], cwd=folder, env=environment, capture_output=True, text=True)
            print(f"{'ok' if result.returncode == 0 else 'FAILED'}: {command}", flush=True)
            if result.returncode != 0:
                sys.exit(result.stdout + result.stderr)
            n_commands += 1
    if n_commands == 0:
        sys.exit(f"{package} carries no test")
    return n_commands


def main():
    recipe, work = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    channel, prefix, folder = work / "channel", work / "prefix", work / "test"
    for path in (channel, prefix, folder):
        shutil.rmtree(path, ignore_errors=True)
    package = build(recipe, channel)
    size = os.path.getsize(package)
    asyncio.run(install(channel, prefix))
    n_commands = run_tests(package, prefix, folder)
    print(f"{package.name}: {size / 2**20:.1f} MB; {n_commands} test commands pass in {prefix}")


if __name__ == "__main__":
    main()
