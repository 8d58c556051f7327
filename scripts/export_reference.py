#!/usr/bin/env python3
"""Writes golden outputs: random small models of Hugging Face transformers, run on CPU in fp32.

usage: export_reference.py [-o tests/golden/data] [--mamba-ssm DIR --caduceus DIR --orthrus DIR] [NAME...]

Each NAME gives a folder with config.json and model.safetensors, and expected.safetensors with <case>.input_ids [L],
<case>.last_hidden_state [L, D] (after the final norm) and <case>.logits [L, vocabulary]. The weights are random and
perturbed, so that every parameter matters; a seed makes the files the same on every run. Needs torch (CPU) and
transformers 5; the outputs that the tests use are committed.

The hf-* models (the default) are those of transformers, saved by save_pretrained. The others run the authors' own
modelling files, which are obtained apart and never committed: checkouts of state-spaces/mamba, kuleshov-group/caduceus
and bowang-lab/Orthrus are given by the three options (einops must be importable). Their CUDA and Triton kernels are
replaced by the reference functions of the same repositories, nothing else.
"""
import argparse
import importlib
import importlib.util
import json
import os
import pathlib
import sys
import types

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch  # noqa: E402
import transformers  # noqa: E402
from safetensors.torch import save_file  # noqa: E402

LENGTHS = (1, 2, 3, 7, 64, 257)
COMMON = dict(vocab_size=16, num_hidden_layers=3, hidden_size=32, pad_token_id=4, bos_token_id=2,
              eos_token_id=1)


def mamba(**kwargs):
    config = transformers.MambaConfig(state_size=16, **COMMON, **kwargs)
    return transformers.MambaForCausalLM(config)


def mamba2(**kwargs):
    config = transformers.Mamba2Config(state_size=16, num_heads=8, head_dim=8, chunk_size=16, **COMMON, **kwargs)
    return transformers.Mamba2ForCausalLM(config)


def falcon_mamba(**kwargs):
    config = transformers.FalconMambaConfig(state_size=16, **COMMON, **kwargs)
    return transformers.FalconMambaForCausalLM(config)


MODELS = {
    "hf-mamba": lambda: mamba(tie_word_embeddings=True),
    "hf-mamba-untied-bias": lambda: mamba(tie_word_embeddings=False, use_bias=True, conv_kernel=3, expand=3,
                                          time_step_rank=5, layer_norm_epsilon=1e-3),
    "hf-mamba2": lambda: mamba2(n_groups=1, tie_word_embeddings=False),
    "hf-mamba2-groups": lambda: mamba2(n_groups=2, tie_word_embeddings=True, time_step_limit=(0.01, 0.2)),
    "hf-falcon-mamba": lambda: falcon_mamba(tie_word_embeddings=True),
}


NATIVE = dict(d_model=32, d_intermediate=0, n_layer=3, vocab_size=12, ssm_cfg={}, rms_norm=True, residual_in_fp32=True,
              fused_add_norm=True, pad_vocab_size_multiple=8, tie_embeddings=True)
CADUCEUS = dict(d_model=32, n_layer=2, vocab_size=8, rms_norm=True, residual_in_fp32=True, fused_add_norm=True,
                pad_vocab_size_multiple=8, norm_epsilon=1e-5, bidirectional=True, bidirectional_strategy="add",
                bidirectional_weight_tie=True, rcps=True, initializer_cfg=None,
                complement_map={0: 0, 1: 1, 2: 2, 3: 6, 4: 5, 5: 4, 6: 3, 7: 7})
MAMBA2 = dict(d_state=16, headdim=16, chunk_size=16)


class Anything:
    """Stands for Triton and its kernels, which are decorated when the authors' files are imported and never called."""
    __version__ = "3.0.0"

    def __call__(self, *args, **kwargs):
        return self

    def __getattr__(self, name):
        return self

    def __getitem__(self, key):
        return 1

    def __iter__(self):
        yield self

    def __le__(self, other):
        return True


def load_authors_code(args):
    """Imports mamba_ssm with its reference functions in place of its kernels."""
    importlib.import_module("transformers.modeling_utils")  # before it can see that Triton is a stand-in
    importlib.import_module("transformers.modeling_outputs")
    sys.path[:0] = [str(args.mamba_ssm), str(args.caduceus), str(args.orthrus)]
    for name in ("triton", "triton.language", "selective_scan_cuda"):
        sys.modules[name] = Anything()
    sys.modules["mamba_ssm.modules.mamba3"] = types.SimpleNamespace(Mamba3=None)
    sys.modules["mamba_ssm.utils.generation"] = types.SimpleNamespace(GenerationMixin=object)
    scan = importlib.import_module("mamba_ssm.ops.selective_scan_interface")
    norm = importlib.import_module("mamba_ssm.ops.triton.layer_norm")
    gated = importlib.import_module("mamba_ssm.ops.triton.layernorm_gated")
    ssd = importlib.import_module("mamba_ssm.ops.triton.ssd_combined")

    def layer_norm(x, weight, bias, residual=None, eps=1e-6, prenorm=False, residual_in_fp32=False, is_rms_norm=False):
        reference = norm.rms_norm_ref if is_rms_norm else norm.layer_norm_ref
        return reference(x, weight, bias, residual=residual, eps=eps, prenorm=prenorm)

    def rms_norm(x, weight, bias, residual=None, eps=1e-6, prenorm=False, residual_in_fp32=False):
        return norm.rms_norm_ref(x, weight, bias, residual=residual, eps=eps, prenorm=prenorm)

    def chunk_scan(x, dt, A, B, C, chunk_size, D=None, z=None, dt_bias=None, dt_softplus=False, return_final_states=False,
                   return_varlen_states=False, seq_idx=None, cu_seqlens=None, **kwargs):
        return ssd.ssd_selective_scan(x, dt, A, B, C, D=D, z=z, dt_bias=dt_bias, dt_softplus=dt_softplus, **kwargs)

    references = dict(layer_norm_fn=layer_norm, rms_norm_fn=rms_norm, rmsnorm_fn=gated.rms_norm_ref,
                      selective_scan_fn=scan.selective_scan_ref, mamba_chunk_scan_combined=chunk_scan)
    for module in [module for name, module in sys.modules.items() if name.startswith("mamba_ssm.")]:
        for name in references.keys() & vars(module).keys():
            setattr(module, name, references[name])
    sys.modules["mamba_ssm.ops.triton.layernorm"] = norm
    return importlib.import_module("mamba_ssm.modules.mamba_simple"), importlib.import_module("mamba_ssm.modules.mamba2")


def native(args, **changes):
    load_authors_code(args)
    mixer = importlib.import_module("mamba_ssm.models.mixer_seq_simple")
    settings = {**NATIVE, **changes}
    if settings["ssm_cfg"].get("layer") == "Mamba2":
        settings["ssm_cfg"]["use_mem_eff_path"] = False
    model = mixer.MambaLMHeadModel(importlib.import_module("mamba_ssm.models.config_mamba").MambaConfig(**settings))

    def run(model, ids, _):
        hidden = model.backbone(ids)
        return hidden, model.lm_head(hidden)
    return model, settings, run


def caduceus_mamba2(args, nested):
    """Caduceus-PS with Mamba-2 mixers, the substitution of kuleshov-group/caduceus pull request 45."""
    _, mamba2_module = load_authors_code(args)
    modeling = importlib.import_module("caduceus.modeling_caduceus")
    rcps = importlib.import_module("caduceus.modeling_rcps")
    modeling.Mamba = mamba2_module.Mamba2
    settings = {**CADUCEUS, "ssm_cfg": {**MAMBA2, "use_mem_eff_path": False}}
    config = types.SimpleNamespace(**settings)

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.caduceus = torch.nn.Module()
            self.caduceus.backbone = modeling.CaduceusMixerModel(config)
            self.lm_head = rcps.RCPSLMHead(true_dim=config.d_model, vocab_size=config.vocab_size,
                                           complement_map=config.complement_map)
            self.lm_head.set_weight(self.caduceus.backbone.embeddings.word_embeddings.weight)

    def run(model, ids, _):
        hidden = model.caduceus.backbone(ids - 4)[0]  # a, c, g, t are 3, 4, 5, 6; n is [UNK] 2
        return hidden, model.lm_head(hidden)

    settings["ssm_cfg"] = MAMBA2
    settings["model_type"] = "caduceus"
    if nested:
        settings["norm_cfg"] = {key: settings.pop(key) for key in ("rms_norm", "norm_epsilon", "fused_add_norm")}
        settings["layer_cfg"] = {"mamba_cfg": {"version": "v2", "ssm_cfg": settings.pop("ssm_cfg"), "mlp_cfg": None}}
    return Model(), settings, run


def orthrus(args, n_tracks):
    simple, _ = load_authors_code(args)
    block = importlib.import_module("mamba_ssm.modules.block").Block

    class LegacyBlock(block):  # mamba_ssm 1 had no MLP to choose
        def __init__(self, dim, mixer_cls, **kwargs):
            super().__init__(dim, mixer_cls, torch.nn.Identity, **kwargs)

    simple.Block = LegacyBlock
    settings = dict(model_class="ssm", ssm_model_dim=32, ssm_n_layers=3, n_tracks=n_tracks, bidirectional=None,
                    bidirectional_strategy=None, bidirectional_weight_tie=None, gradient_checkpointing=False)
    path = args.orthrus / "orthrus" / "mamba.py"
    spec = importlib.util.spec_from_file_location("orthrus_mamba", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    model = torch.nn.Module()
    model.model = module.MixerModel(settings["ssm_model_dim"], settings["ssm_n_layers"], n_tracks)

    def run(model, ids, tracks):
        one_hot = torch.nn.functional.one_hot(ids - 7, 5)[..., :4].float()  # N is all zeros
        x = torch.cat([one_hot, tracks.float()], dim=-1) if n_tracks == 6 else one_hot
        return model.model(x, channel_last=True), None
    return model, settings, run


AUTHORS = {
    "mamba1-native-mlp": lambda args: native(args, d_intermediate=40),
    "mamba2-native-mlp": lambda args: native(args, d_intermediate=128, ssm_cfg={"layer": "Mamba2", **MAMBA2}),
    "plantcad2-flat": lambda args: caduceus_mamba2(args, nested=False),
    "plantcad2-nested": lambda args: caduceus_mamba2(args, nested=True),
    "orthrus-4-track": lambda args: orthrus(args, 4),
    "orthrus-6-track": lambda args: orthrus(args, 6),
}


def add_transcript(model, run, generator, tensors):
    """A case whose tracks are those of a transcript (orthrus/gk_utils.py): three exons, a CDS of 45 bases."""
    length, cds_start, cds_end, exon_ends = 90, 12, 57, [30, 41, 90]
    ids = torch.randint(7, 11, (1, length), generator=generator)
    tracks = torch.zeros((1, length, 2), dtype=torch.int64)
    tracks[0, cds_start:cds_end:3, 0] = 1
    tracks[0, [end - 1 for end in exon_ends], 1] = 1
    with torch.no_grad():
        hidden, _ = run(model, ids, tracks)
    tensors["transcript.input_ids"] = ids[0].contiguous()
    tensors["transcript.tracks"] = tracks[0].contiguous()
    tensors["transcript.last_hidden_state"] = hidden[0].contiguous()


def perturb(model, generator):
    """Moves each parameter away from its initial value; projections stay small enough for a tame output."""
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            noise = torch.randn(parameter.shape, generator=generator)
            if name.endswith("A_log"):
                parameter.add_(0.3 * noise)
            elif "norm" in name or name.endswith(".D"):
                parameter.add_(0.2 * noise)
            elif "embedding" in name or "lm_head" in name:
                parameter.copy_(0.5 * noise)
            else:
                parameter.add_(0.1 * noise)


def run_cases(model, generator):
    tensors = {}
    for length in LENGTHS:
        ids = torch.randint(7, 12, (1, length), generator=generator)
        with torch.no_grad():
            output = model(input_ids=ids, output_hidden_states=True, use_cache=False)
        case = f"len{length}"
        tensors[f"{case}.input_ids"] = ids[0].contiguous()
        tensors[f"{case}.last_hidden_state"] = output.hidden_states[-1][0].float().contiguous()
        tensors[f"{case}.logits"] = output.logits[0].float().contiguous()
    return tensors


def export(name, folder):
    torch.manual_seed(1)
    generator = torch.Generator().manual_seed(2)
    model = MODELS[name]().eval().float()
    perturb(model, generator)
    folder.mkdir(parents=True, exist_ok=True)
    model.save_pretrained(folder)
    (folder / "generation_config.json").unlink(missing_ok=True)
    save_file(run_cases(model, generator), folder / "expected.safetensors",
              metadata={"torch": torch.__version__, "transformers": transformers.__version__})
    print(f"{folder}: {sum(p.numel() for p in model.parameters())} parameters")


def export_authors(name, folder, args):
    torch.manual_seed(1)
    generator = torch.Generator().manual_seed(2)
    model, settings, run = AUTHORS[name](args)
    model = model.eval().float()
    perturb(model, generator)
    tensors = {}
    for length in LENGTHS:
        ids = torch.randint(7, 11 if name.startswith("plantcad2") else 12, (1, length), generator=generator)
        tracks = torch.randint(0, 2, (1, length, 2), generator=generator)
        with torch.no_grad():
            hidden, logits = run(model, ids, tracks)
        case = f"len{length}"
        tensors[f"{case}.input_ids"] = (ids - 4 if name.startswith("plantcad2") else ids)[0].contiguous()
        if name == "orthrus-6-track":
            tensors[f"{case}.tracks"] = tracks[0].contiguous()
        tensors[f"{case}.last_hidden_state"] = hidden[0].contiguous()
        if logits is not None:
            tensors[f"{case}.logits"] = logits[0].contiguous()
    if name == "orthrus-6-track":
        add_transcript(model, run, generator, tensors)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(settings, indent=1) + "\n")
    weights, seen = {}, set()
    for key, value in model.state_dict().items():  # tied tensors once, as safetensors files have them
        if value.data_ptr() not in seen:
            weights[key] = value.contiguous()
        seen.add(value.data_ptr())
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    save_file(tensors, folder / "expected.safetensors", metadata={"torch": torch.__version__})
    print(f"{folder}: {sum(p.numel() for p in model.parameters())} parameters")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join([*MODELS, *AUTHORS]))
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("tests/golden/data"))
    for option in ("--mamba-ssm", "--caduceus", "--orthrus"):
        parser.add_argument(option, type=pathlib.Path, metavar="DIR", help="checkout of the authors' repository")
    args = parser.parse_args()
    for name in args.names or MODELS:
        if name in MODELS:
            export(name, args.output / name)
        elif name in AUTHORS:
            if not (args.mamba_ssm and args.caduceus and args.orthrus):
                parser.error(f"{name} needs --mamba-ssm, --caduceus and --orthrus")
            export_authors(name, args.output / name, args)
        else:
            parser.error(f"unknown model {name}; the choices are {', '.join([*MODELS, *AUTHORS])}")


if __name__ == "__main__":
    main()
