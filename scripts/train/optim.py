# SPDX-License-Identifier: MIT
"""AdamW and Muon over one flat parameter vector, with an exponential moving average of the weights.

Muon (orthogonalised momentum) drives in_proj and out_proj, the x and z halves of in_proj apart; everything else gets
AdamW. A_log, D, biases, norms and the embedding have no weight decay. The Muon update is scaled to the root mean
square of an AdamW step (0.2 * sqrt(longer side)), so that both share one learning rate schedule.
"""

import torch

MUON = ("in_proj.weight", "out_proj.weight")
DECAYED = MUON + ("x_proj.weight", "dt_proj.weight")


def orthogonalise(g):
    """Newton-Schulz iteration towards the nearest semi-orthogonal matrix; g [rows, columns]."""
    x = g / (g.norm() + 1e-7)
    wide = x.shape[0] <= x.shape[1]
    x = x if wide else x.t()
    for _ in range(5):
        gram = x @ x.t()
        x = 3.4445 * x + (-4.7750 * gram + 2.0315 * gram @ gram) @ x
    return x if wide else x.t()


class FlatOptimizer:
    def __init__(self, model, *, muon=True, betas=(0.9, 0.95), weight_decay=0.1, muon_momentum=0.95, muon_lr_scale=1.0,
                 ema_decay=0.999, clip=1.0):
        names, params = zip(*model.named_parameters())
        self.shapes = {n: tuple(p.shape) for n, p in zip(names, params)}
        self.theta = torch.cat([p.detach().reshape(-1) for p in params])
        self.betas, self.weight_decay, self.muon_momentum, self.muon_lr_scale = betas, weight_decay, muon_momentum, muon_lr_scale
        self.ema_decay, self.clip = ema_decay, clip
        self.decay_mask = torch.zeros_like(self.theta)
        self.muon_slices, offset = [], 0
        for name, p in zip(names, params):
            n = p.numel()
            p.data = self.theta[offset:offset + n].view(p.shape)
            if name.endswith(DECAYED):
                self.decay_mask[offset:offset + n] = 1
            if muon and name.endswith(MUON):
                halves = 2 if name.endswith("in_proj.weight") else 1
                for i in range(halves):
                    rows = p.shape[0] // halves
                    self.muon_slices.append((offset + i * rows * p.shape[1], rows, p.shape[1]))
            offset += n
        self.m, self.v = torch.zeros_like(self.theta), torch.zeros_like(self.theta)
        self.m_rate = torch.full_like(self.theta, 1 - betas[0])
        for offset, rows, columns in self.muon_slices:
            self.m_rate[offset:offset + rows * columns] = 1 - muon_momentum
        self.ema, self.steps = self.theta.clone(), 0

    @torch.no_grad()
    def step(self, grad, lr, map_=map):
        """One update with the flat gradient (clipped in place); returns the gradient norm."""
        self.steps += 1
        norm = grad.norm()
        grad.mul_((self.clip / (norm + 1e-6)).clamp_max(1.0))
        b1, b2 = self.betas
        self.v.mul_(b2).addcmul_(grad, grad, value=1 - b2)
        self.m.lerp_(grad, self.m_rate)
        denominator = (self.v / (1 - b2 ** self.steps)).sqrt_().add_(1e-8)
        update = (self.m / (1 - b1 ** self.steps)).div_(denominator)

        def muon(piece):
            offset, rows, columns = piece
            span = slice(offset, offset + rows * columns)
            g = torch.lerp(grad[span], self.m[span], self.muon_momentum).view(rows, columns)  # Nesterov
            scale = self.muon_lr_scale * 0.2 * max(rows, columns) ** 0.5
            update[span] = orthogonalise(g).reshape(-1).mul_(scale)

        list(map_(muon, self.muon_slices))
        update.addcmul_(self.theta, self.decay_mask, value=self.weight_decay)
        self.theta.sub_(update, alpha=lr)
        self.ema.lerp_(self.theta, 1 - min(self.ema_decay, (1 + self.steps) / (10 + self.steps)))
        return float(norm)

    def state(self):
        return dict(theta=self.theta, ema=self.ema, m=self.m, v=self.v, steps=self.steps, shapes=self.shapes)

    def load(self, state):
        if state["shapes"] != self.shapes:
            raise ValueError("the checkpoint belongs to a model of another shape")
        for name in ("theta", "ema", "m", "v"):
            getattr(self, name).copy_(state[name])
        self.steps = state["steps"]
