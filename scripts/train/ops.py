# SPDX-License-Identifier: MIT
"""Autograd functions over the native kernels: add_rms_norm and mamba_inner (conv1d, x_proj, dt_proj, selective scan)."""

import torch

from native import CHUNK, ConvCall, NormCall, ScanCall, run


class AddRMSNorm(torch.autograd.Function):
    """(hidden, residual or None) -> (normed, new residual); all [..., width]."""

    @staticmethod
    def forward(ctx, hidden, residual, weight, eps):
        hidden = hidden.contiguous()
        width = hidden.shape[-1]
        if width % 8 or (residual is not None and not residual.is_contiguous()):
            raise ValueError("width must be a multiple of 8 and the residual contiguous")
        out, total = torch.empty_like(hidden), torch.empty_like(hidden)
        rstd = hidden.new_empty(hidden.shape[:-1])
        run("norm_forward", hidden.dtype, NormCall, rows=rstd.numel(), width=width, eps=eps, hidden=hidden,
            residual_in=residual, weight=weight, residual_out=total, out=out, rstd=rstd)
        ctx.save_for_backward(total, weight, rstd)
        ctx.has_residual = residual is not None
        ctx.set_materialize_grads(False)
        return out, total

    @staticmethod
    def backward(ctx, dout, dtotal):
        total, weight, rstd = ctx.saved_tensors
        dout = dout.contiguous()
        dtotal = None if dtotal is None else dtotal.contiguous()
        dinput, dweight = torch.empty_like(total), torch.zeros_like(weight)
        run("norm_backward", total.dtype, NormCall, rows=rstd.numel(), width=total.shape[-1], residual_out=total,
            weight=weight, rstd=rstd, dout=dout, dresidual_out=dtotal, dinput=dinput, dweight=dweight)
        return dinput, dinput if ctx.has_residual else None, dweight, None


def empty_states(like, batch, seqlen, d_inner, d_state):
    """Room for the state before each chunk and after the last one; the packing inside a row is the kernel's own."""
    n_chunks = (seqlen + CHUNK - 1) // CHUNK
    states = like.new_empty(batch, n_chunks + 1, d_inner * d_state)
    states[:, 0].zero_()
    return states


class MambaInner(torch.autograd.Function):
    """The Mamba-1 mixer between in_proj and out_proj.

    xz [batch, seqlen, 2E] -> out [batch, seqlen, E], already gated. `carry` is None or (conv_state [batch, 3, E],
    ssm_state [batch, E*N]), constants from the tokens before; the third and fourth results are the new carry. With
    `reverse` time runs right to left (and carry is not used).
    """

    @staticmethod
    def forward(ctx, xz, conv_weight, conv_bias, x_proj, dt_proj, dt_bias, A_log, D, carry, reverse):
        batch, seqlen, _ = xz.shape
        d_inner, d_state = A_log.shape
        dt_rank = dt_proj.shape[1]
        if not xz.is_contiguous() or d_inner % 16 or conv_weight.shape[-1] != 4:
            raise ValueError("xz must be contiguous, d_inner a multiple of 16, d_conv 4")
        taps = conv_weight.detach()[:, 0].t().contiguous()
        if carry is None:
            before = xz.new_zeros(batch, 3, d_inner)
        else:
            before = carry[0].contiguous()
        x = xz.new_empty(batch, seqlen, d_inner)
        run("conv_forward", xz.dtype, ConvCall, batch=batch, seqlen=seqlen, d_inner=d_inner, reverse=reverse,
            x_stride=2 * d_inner, x=xz, before=before, weight=taps, bias=conv_bias, out=x)
        x_dbl = x.view(-1, d_inner) @ x_proj.t()
        delta_raw = x_dbl[:, :dt_rank] @ dt_proj.t()
        A = -torch.exp(A_log.detach())
        states = empty_states(xz, batch, seqlen, d_inner, d_state)
        if carry is not None:
            states[:, 0] = carry[1]
        out = torch.empty_like(x)
        ctx.scan = dict(batch=batch, seqlen=seqlen, d_inner=d_inner, d_state=d_state, reverse=reverse,
                        u_stride=d_inner, delta_stride=d_inner, z_stride=2 * d_inner,
                        bc_stride=dt_rank + 2 * d_state, out_stride=d_inner)
        run("scan_forward", xz.dtype, ScanCall, **ctx.scan, u=x, delta_raw=delta_raw, z=xz[:, :, d_inner:],
            bc=x_dbl[:, dt_rank:], a=A, d=D, delta_bias=dt_bias, states=states, out=out)
        ctx.save_for_backward(xz, before, taps, conv_bias, x_proj, dt_proj, dt_bias, A, D, x, x_dbl, delta_raw, states)
        conv_state = torch.cat([before, xz[:, -3:, :d_inner]], 1)[:, -3:]
        ssm_state = states[:, -1].clone()
        ctx.mark_non_differentiable(conv_state, ssm_state)
        ctx.set_materialize_grads(False)
        return out, conv_state, ssm_state

    @staticmethod
    def backward(ctx, dout, _conv, _ssm):
        xz, before, taps, conv_bias, x_proj, dt_proj, dt_bias, A, D, x, x_dbl, delta_raw, states = ctx.saved_tensors
        d_inner, dt_rank = A.shape[0], dt_proj.shape[1]
        dout = dout.contiguous()
        dxz, dx, ddelta = torch.empty_like(xz), torch.empty_like(x), torch.empty_like(delta_raw)
        dx_dbl = torch.empty_like(x_dbl)
        dA, dD, ddt_bias = torch.zeros_like(A), torch.zeros_like(D), torch.zeros_like(dt_bias)
        run("scan_backward", xz.dtype, ScanCall, **ctx.scan, u=x, delta_raw=delta_raw, z=xz[:, :, d_inner:],
            bc=x_dbl[:, dt_rank:], a=A, d=D, delta_bias=dt_bias, states=states, dout=dout, du=dx, ddelta_raw=ddelta,
            dz=dxz[:, :, d_inner:], dbc=dx_dbl[:, dt_rank:], da=dA, dd=dD, ddelta_bias=ddt_bias)
        # Written with the long side last: six times faster in the BLAS at hand than the other order.
        dx_dbl[:, :dt_rank] = (dt_proj.t() @ ddelta.t()).t()
        ddt_proj = (x_dbl[:, :dt_rank].t() @ ddelta).t()
        dx_proj = dx_dbl.t() @ x.view(-1, d_inner)
        dx.view(-1, d_inner).addmm_(dx_dbl, x_proj)
        dtaps, dconv_bias = torch.zeros_like(taps), torch.zeros_like(conv_bias)
        run("conv_backward", xz.dtype, ConvCall, batch=ctx.scan["batch"], seqlen=ctx.scan["seqlen"], d_inner=d_inner,
            reverse=ctx.scan["reverse"], x_stride=2 * d_inner, x=xz, before=before, weight=taps, bias=conv_bias,
            dout=dx, dx=dxz, dweight=dtaps, dbias=dconv_bias)
        return dxz, dtaps.t().unsqueeze(1), dconv_bias, dx_proj, ddt_proj, ddt_bias, dA * A, dD, None, None


add_rms_norm = AddRMSNorm.apply
mamba_inner = MambaInner.apply
