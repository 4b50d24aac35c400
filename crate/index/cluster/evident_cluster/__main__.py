"""`python -m evident_cluster index CORPUS --out DIR --work DIR`, and `eval` with labelled statements."""

import argparse
import json
import sys
from pathlib import Path

import ray

import evident_cluster
from evident_cluster.build import Job, build
from evident_cluster.evaluate import Evaluation, evaluate
from evident_cluster.shards import NotCut
from evident_cluster.work import Failed


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="evident_cluster", description=evident_cluster.__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    index = commands.add_parser("index", help="build an index")
    index.add_argument("corpus", type=Path, help="a MediaWiki dump (.xml) or passages in lines of JSON; .gz, .bz2")
    index.add_argument("--shard-bytes", type=int, default=Job.shard_bytes, help="the size of a shard [%(default)s]")
    index.add_argument("--fan-in", type=int, default=Job.fan_in, help="parts that are joined at once [%(default)s]")
    rows = commands.add_parser("eval", help="judge labelled statements, and measure how well")
    rows.add_argument("rows", type=Path, help="the labelled statements, in any layout of `evident eval`")
    rows.add_argument(
        "--portions", type=int, default=Evaluation.portions, help="what the statements are parted into [%(default)s]"
    )
    for command, what, like in ((index, "index", "index build"), (rows, "results", "eval")):
        command.add_argument("--out", type=Path, required=True, help=f"the folder of the {what}")
        command.add_argument("--work", type=Path, required=True, help="a folder for what lies between, on all machines")
        command.add_argument("--evident", default="evident", help="the command line, on all machines [%(default)s]")
        command.add_argument("--address", help="the Ray cluster [one of this machine's cores]")
        command.add_argument("options", nargs="*", help=f"behind --, options of `evident {like}`")
    return parser.parse_args()


def main() -> int:
    given = arguments()
    ray.init(address=given.address, log_to_driver=False)
    same = {"out": given.out.resolve(), "work": given.work.resolve()}
    same |= {"evident": (given.evident,), "options": tuple(given.options)}
    try:
        if given.command == "index":
            sizes = {"shard_bytes": given.shard_bytes, "fan_in": max(given.fan_in, 2)}
            print(json.dumps(build(Job(given.corpus.resolve(), **sizes, **same))))
        else:
            print(evaluate(Evaluation(given.rows.resolve(), portions=max(given.portions, 1), **same)), end="")
    except (Failed, NotCut, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
