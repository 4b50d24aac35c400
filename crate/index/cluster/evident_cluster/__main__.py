"""`python -m evident_cluster CORPUS --out DIR --work DIR`."""

import argparse
import json
import sys
from pathlib import Path

import ray

from evident_cluster.build import Failed, Job, build
from evident_cluster.shards import NotCut


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="evident_cluster", description=__doc__)
    parser.add_argument("corpus", type=Path, help="a MediaWiki dump (.xml) or passages in lines of JSON; .gz, .bz2")
    parser.add_argument("--out", type=Path, required=True, help="the folder of the index")
    parser.add_argument("--work", type=Path, required=True, help="a folder for what lies between, on all machines")
    parser.add_argument("--shard-bytes", type=int, default=Job.shard_bytes, help="the size of a shard [%(default)s]")
    parser.add_argument("--fan-in", type=int, default=Job.fan_in, help="parts that are joined at once [%(default)s]")
    parser.add_argument("--evident", default="evident", help="the command line, on all machines [%(default)s]")
    parser.add_argument("--address", help="the Ray cluster [one of this machine's cores]")
    parser.add_argument("options", nargs="*", help="behind --, options of `evident index build`, such as --no-facts")
    return parser.parse_args()


def main() -> int:
    given = arguments()
    ray.init(address=given.address, log_to_driver=False)
    paths = {name: getattr(given, name).resolve() for name in ("corpus", "out", "work")}
    sizes = {"shard_bytes": given.shard_bytes, "fan_in": max(given.fan_in, 2)}
    job = Job(**paths, **sizes, evident=(given.evident,), options=tuple(given.options))
    try:
        print(json.dumps(build(job)))
    except (Failed, NotCut, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
