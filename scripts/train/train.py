# SPDX-License-Identifier: MIT
"""Train a bundled model. The state (weights, optimizer, streams) lives in --state-dir, outside of version control, and
a later call with the same directory goes on from there.

  python3 scripts/train/train.py --config scripts/train/configs/causal.json --state-dir DIR [--minutes 90]
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # threads run whole microbatches (parallel.py), never parts of a product

import argparse
import json
import math
import shutil
import signal
import time
from pathlib import Path

import numpy as np
import torch

from caduceus import start_from_causal
from data import DATA_DIR, Sampler, load_genomes
from export import causal_model
from native import keep_heap
from objectives import OBJECTIVES
from optim import FlatOptimizer
from parallel import make_pool, mean_gradient
from quick_eval import evaluate, slices


def learning_rate(schedule, updates, decayed, decay_steps):
    """Warm-up over the optimizer's updates, then constant; in a decay branch linear to 0 over decay_steps, so that a
    later sitting can branch again."""
    rate = schedule["lr"] * min(1.0, (updates + 1) / schedule["warmup_steps"])
    if decay_steps:
        rate *= max(0.0, 1 - decayed / decay_steps)
    return rate


class Run:
    def __init__(self, args):
        self.args, self.dir = args, Path(args.state_dir)
        self.config = json.loads(Path(args.config).read_text())
        self.dir.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(self.config["seed"])
        self.rng = np.random.Generator(np.random.PCG64(self.config["seed"]))
        self.objective = OBJECTIVES[self.config["objective"]]
        self.model = self.objective.make_model(self.config["model"])
        if args.init_from and self.config["objective"] == "masked":
            start_from_causal(self.model, causal_model(args.init_from))
        elif args.init_from:
            self.model.load_state_dict(causal_model(args.init_from).state_dict())
        self.params = list(self.model.parameters())
        self.optimizer = FlatOptimizer(self.model, **self.config["optimizer"])
        self.genomes = load_genomes(args.data_dir, "train")
        data = self.config["data"]
        self.sampler = Sampler(self.genomes, data["clade_shares"], data["length_power"], self.rng)
        self.streams = [self.objective.make_stream(self.sampler, data) for _ in range(data["streams"])]
        self.step = self.bases = 0
        self.seconds, self.best = 0.0, math.inf
        if args.init_from and self.config["objective"] == "causal":
            self.go_on_from(Path(args.init_from))
        self.pool = make_pool(args.threads)
        self.valid = slices(self.genomes, "train", args.valid_bases)
        self.heldout = slices(load_genomes(args.data_dir, "heldout"), "heldout", args.heldout_bases)
        if (self.dir / "last.pt").exists():
            self.load(torch.load(self.dir / "last.pt", weights_only=False))
        self.decay_from = self.step

    def go_on_from(self, directory):
        """The counts and logs of a model directory that export.py wrote, for a run whose optimizer state is gone."""
        progress = json.loads((directory / "training.json").read_text())
        self.step, self.bases, self.seconds = progress["step"], progress["bases"], progress["seconds"]
        for name in ("train.tsv", "eval.tsv"):
            if not (self.dir / name).exists():
                shutil.copyfile(directory / name, self.dir / name)

    def state(self):
        return dict(optimizer=self.optimizer.state(), rng=self.rng.bit_generator.state, config=self.config,
                    streams=[s.__dict__ | {"sampler": None} for s in self.streams], step=self.step, bases=self.bases,
                    seconds=self.seconds, best=self.best)

    def load(self, state):
        self.optimizer.load(state["optimizer"])
        self.rng.bit_generator.state = state["rng"]
        if len(state["streams"]) == len(self.streams) and state["config"]["data"] == self.config["data"]:
            for stream, saved in zip(self.streams, state["streams"]):
                stream.__dict__.update(saved | {"sampler": self.sampler})
        self.step, self.bases = state["step"], state["bases"]
        self.seconds, self.best = state["seconds"], state["best"]

    def save(self, name):
        temporary = self.dir / f"{name}.partial"
        torch.save(self.state(), temporary)
        temporary.replace(self.dir / name)

    def log(self, name, row):
        path = self.dir / name
        new = not path.exists()
        with open(path, "a") as stream:
            if new:
                stream.write("\t".join(row) + "\n")
            stream.write("\t".join(str(v) for v in row.values()) + "\n")

    def turn(self):
        """The streams of this step; with more streams than microbatches they take turns, for more genomes a minute."""
        n = self.config["data"]["microbatches"]
        first = self.step * n % len(self.streams)
        return (self.streams + self.streams)[first:first + n]

    def evaluate(self):
        """Scores of the averaged weights; keeps best.pt by the mean over the validation slices."""
        kept = self.optimizer.theta.clone()
        self.optimizer.theta.copy_(self.optimizer.ema)
        bits = evaluate(self.pool, self.objective.bits, self.model, self.valid | self.heldout)
        self.optimizer.theta.copy_(kept)
        mean = sum(bits[n] for n in self.valid) / len(self.valid)
        self.log("eval.tsv", {"step": self.step, "bases": self.bases, "seconds": round(self.seconds), "valid": f"{mean:.4f}"}
                 | {n: f"{b:.4f}" for n, b in bits.items()})
        print(f"step {self.step} valid {mean:.4f} " + " ".join(f"{n[:12]} {bits[n]:.4f}" for n in self.heldout), flush=True)
        if mean < self.best:
            self.best = mean
            self.save("best.pt")

    def train(self):
        args, stop = self.args, []
        signal.signal(signal.SIGTERM, lambda *_: stop.append(1))
        began = window_began = saved = evaluated = time.monotonic()
        losses, window_bases = [], 0
        while not stop and self.step < args.steps and time.monotonic() - began < args.minutes * 60:
            if args.decay_steps and self.step >= self.decay_from + args.decay_steps:
                break
            lr = learning_rate(self.config["schedule"], self.optimizer.steps, self.step - self.decay_from, args.decay_steps)
            jobs = [self.objective.loss_function(self.model, s) for s in self.turn()]
            grad, results = mean_gradient(self.pool, self.params, jobs)
            norm = self.optimizer.step(grad, lr, self.pool.map)
            self.step += 1
            done = sum(n for _, n in results)
            self.bases += done
            window_bases += done
            losses += [loss for loss, _ in results]
            now = time.monotonic()
            if self.step % args.log_steps == 0:
                self.seconds += now - window_began
                self.log("train.tsv", {"step": self.step, "bases": self.bases, "lr": f"{lr:.6f}",
                                       "bits": f"{np.mean(losses) / math.log(2):.4f}", "grad_norm": f"{norm:.3f}",
                                       "bases_per_s": round(window_bases / (now - window_began)),
                                       "seconds": round(self.seconds)})
                losses, window_bases, window_began = [], 0, now
            if now - saved > args.save_minutes * 60:
                self.save("last.pt")
                saved = now
            if now - evaluated > args.eval_minutes * 60:
                self.evaluate()
                evaluated = window_began = time.monotonic()
                losses, window_bases = [], 0
        self.save("last.pt")
        self.evaluate()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", required=True)
    parser.add_argument("--state-dir", required=True, help="checkpoints and logs; a run found there is resumed")
    parser.add_argument("--data-dir", default=DATA_DIR, type=Path)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--init-from", help="a causal model of the same sizes to begin with: a checkpoint, or a model directory of export.py")
    parser.add_argument("--minutes", type=float, default=math.inf)
    parser.add_argument("--steps", type=int, default=10 ** 9)
    parser.add_argument("--decay-steps", type=int, default=0, help="bring the learning rate to 0 over so many steps, then stop")
    parser.add_argument("--valid-bases", type=int, default=12288, help="of each training genome")
    parser.add_argument("--heldout-bases", type=int, default=32768, help="of each held-out genome")
    parser.add_argument("--log-steps", type=int, default=50)
    parser.add_argument("--save-minutes", type=float, default=5)
    parser.add_argument("--eval-minutes", type=float, default=10)
    args = parser.parse_args()
    keep_heap()
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    Run(args).train()


if __name__ == "__main__":
    main()
