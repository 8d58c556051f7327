#!/usr/bin/env python3
"""Fails where conda-recipe/meta.yaml and conda-recipe/offline/recipe.yaml differ outside requirements.

usage: recipe_parity.py CONDA_RECIPE_DIR

meta.yaml's Jinja is rendered with stub functions, recipe.yaml's ${{ }} likewise. Run exports are compared too, though
recipe.yaml keeps them under requirements.
"""
import pathlib
import re
import sys

import jinja2
import yaml

ABOUT = {"home": "homepage", "dev_url": "repository", "doc_url": "documentation"}  # meta.yaml: recipe.yaml


def pin_subpackage(name, max_pin=None, upper_bound=None):
    return f"{name} pinned to {max_pin or upper_bound}"


def render_meta(text):
    """conda-build's selectors are comments for YAML; only `skip` has one, and it is compared as its condition."""
    text = re.sub(r"^(\s*skip:).*#\s*\[(.*)\]\s*$", r"\1 ['\2']", text, flags=re.MULTILINE)
    stubs = {"pin_subpackage": pin_subpackage, "compiler": lambda kind: f"compiler {kind}",
             "stdlib": lambda kind: f"stdlib {kind}"}
    return yaml.safe_load(jinja2.Environment().from_string(text).render(**stubs))


def render_recipe(text):
    context = {key: str(value) for key, value in yaml.safe_load(text)["context"].items()}
    environment = jinja2.Environment(variable_start_string="${{", variable_end_string="}}")
    recipe = yaml.safe_load(environment.from_string(text).render(pin_subpackage=pin_subpackage, **context))
    return recipe


def parts_of_meta(meta, folder):
    about = {ABOUT.get(key, key): value for key, value in meta["about"].items()}
    return {
        "package": meta["package"],
        "source": str((folder / meta["source"]["path"]).resolve()) if "path" in meta["source"] else meta["source"],
        "number": meta["build"]["number"],
        "skip": meta["build"].get("skip"),
        "script": str((folder / "build.sh").resolve()),
        "run_exports": meta["build"]["run_exports"],
        "tests": meta["test"]["commands"],
        "about": about,
        "extra": meta["extra"],
    }


def parts_of_recipe(recipe, folder):
    source = recipe["source"]
    script = re.fullmatch(r'bash "\$SRC_DIR/(.+)"', recipe["build"]["script"])
    root = (folder / source["path"]).resolve() if "path" in source else folder.parent.parent
    return {
        "package": recipe["package"],
        "source": str(root) if "path" in source else source,
        "number": recipe["build"]["number"],
        "skip": recipe["build"].get("skip"),
        "script": str(root / script.group(1)) if script else recipe["build"]["script"],
        "run_exports": recipe["requirements"]["run_exports"],
        "tests": [command for test in recipe["tests"] for command in test["script"]],
        "about": recipe["about"],
        "extra": recipe["extra"],
    }


def differences(meta, recipe):
    return [f"{key}:\n  meta.yaml    {meta[key]}\n  recipe.yaml  {recipe[key]}" for key in meta if meta[key] != recipe[key]]


def unknown_sections(meta, recipe):
    """A section that is not compared would be free to differ."""
    known = {"package", "source", "build", "requirements", "test", "about", "extra"}
    found = [f"meta.yaml: section {name} is not compared" for name in set(meta) - known]
    known = {"context", "package", "source", "build", "requirements", "tests", "about", "extra"}
    found += [f"recipe.yaml: section {name} is not compared" for name in set(recipe) - known]
    found += [f"meta.yaml: build: {name} is not compared" for name in set(meta["build"]) - {"number", "skip", "run_exports"}]
    found += [f"recipe.yaml: build: {name} is not compared" for name in set(recipe["build"]) - {"number", "skip", "script"}]
    found += [f"meta.yaml: test: {name} is not compared" for name in set(meta["test"]) - {"commands"}]
    found += [f"recipe.yaml: requirements: {name}: the system's are used" for name in set(recipe["requirements"]) - {"run_exports"}]
    return found


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    meta = render_meta((folder / "meta.yaml").read_text())
    recipe = render_recipe((folder / "offline/recipe.yaml").read_text())
    found = unknown_sections(meta, recipe)
    found += differences(parts_of_meta(meta, folder), parts_of_recipe(recipe, folder / "offline"))
    # Each part must be able to fail: a changed copy is told apart.
    changed = dict(parts_of_meta(meta, folder), tests=[])
    assert differences(changed, parts_of_recipe(recipe, folder / "offline"))
    print("\n".join(found) if found else "meta.yaml and recipe.yaml agree outside requirements")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
