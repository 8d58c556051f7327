#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Opens a report in headless Chromium and checks what no other test can see.

usage: check_report.py REPORT.html [--shots DIR] [--chromium PROGRAM]

No console error and no request to the network; every figure has marks inside its frame; hovering a mark and the arrow
keys show its text; a track zooms; nothing is wider than a screen of 400 or 1280 pixels; names in the page stay text.
With --shots, pictures of both widths, light and dark, to look at. Standard library alone: the browser is driven
through its debugging pipe.
"""
import argparse
import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile

WIDTHS = (1280, 400)
SCHEMES = ("light", "dark")


class Browser:
    """Chromium with commands on descriptor 3 and answers on 4, each JSON text ended by a NUL."""

    def __init__(self, program, profile):
        command_read, self.command = os.pipe()
        self.answer, answer_write = os.pipe()
        words = [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                 "--hide-scrollbars", "--remote-debugging-pipe", f"--user-data-dir={profile}", "about:blank"]

        def connect():
            # The numbers may be in use by the other pipe's ends: first away, then into place.
            first, second = os.dup(command_read), os.dup(answer_write)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(words, preexec_fn=connect, pass_fds=(3, 4, command_read, answer_write),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(command_read)
        os.close(answer_write)
        self.rest = b""
        self.number = 0
        self.session = None
        self.events = []

    def receive(self):
        while b"\0" not in self.rest:
            part = os.read(self.answer, 1 << 20)
            if not part:
                raise RuntimeError("the browser went away")
            self.rest += part
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.command, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def evaluate(self, script):
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def open(self, address):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Page.navigate", url=address)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.receive())

    def close(self):
        self.process.terminate()
        self.process.wait()


# Boxes of marks must lie inside the view box, with a little for strokes.
FIGURES = """[...document.querySelectorAll('figure svg.fig:not(.key)')].map((svg) => {
  const view = svg.viewBox.baseVal;
  const marks = [...svg.querySelectorAll('.m, .band, .mean')].filter((mark) => mark.getBBox().width + mark.getBBox().height > 0);
  const outside = [...svg.querySelectorAll('text, .m, .band, .mean, .axis')].filter((mark) => {
    const box = mark.getBoundingClientRect(), frame = svg.getBoundingClientRect();
    return box.width > 0 && (box.left < frame.left - 2 || box.right > frame.right + 2 ||
                             box.top < frame.top - 2 || box.bottom > frame.bottom + 2);
  });
  return {id: svg.id, marks: marks.length, outside: outside.map((mark) => mark.outerHTML.slice(0, 100)), label:
    svg.getAttribute('aria-labelledby').split(' ').map((id) => document.getElementById(id)?.textContent || '').join(' ').trim()};
})"""

MIDDLE_OF_FIRST_MARK = """(() => {
  const svg = document.querySelector('svg.fig .points')?.closest('svg');
  if (!svg) return null;
  svg.scrollIntoView({block: 'center', behavior: 'instant'});
  const box = svg.querySelector('.points .m').getBoundingClientRect();
  return {x: box.x + box.width / 2, y: box.y + box.height / 2};
})()"""

TIP = "document.getElementById('tip').hidden ? '' : document.getElementById('tip').textContent"

TRACK = """(async () => {
  const figure = document.querySelector('figure.track');
  if (!figure) return null;
  const svg = figure.querySelector('svg.fig:not(.key)');
  const before = svg.querySelector('.band').getAttribute('d');
  for (let i = 0; i < 30; ++i) figure.querySelector('[data-do=in]').click();
  const zoomed = svg.querySelector('.band').getAttribute('d');
  const letters = [...svg.querySelectorAll('.letter')].map((letter) => letter.textContent).join('');
  svg.focus();
  svg.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true, cancelable: true}));
  const readout = figure.querySelector('.readout').textContent;
  figure.querySelector('[data-do=all]').click();
  return {changed: before !== zoomed, restored: before === svg.querySelector('.band').getAttribute('d'), letters, readout,
          has_letters: figure.dataset.letters.length > 0, inside: figure.dataset.letters.includes(letters)};
})()"""

UNLABELLED = """[...document.querySelectorAll('button, a, svg[tabindex], [role=region]')].filter((element) =>
  !(element.textContent.trim() || element.getAttribute('aria-label'))).map((element) => element.outerHTML.slice(0, 100))"""

WIDER = """[...document.querySelectorAll('body *')].filter((element) => !element.closest('.scroll, svg, pre, .skip') &&
  element.getBoundingClientRect().right > innerWidth + 1).map((element) => element.outerHTML.slice(0, 100))"""

# WCAG 2.1, 1.4.3: the contrast of text with what is behind it.
CONTRAST = """(() => {
  const part = (value) => { const x = value / 255; return x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; };
  const light = (color) => { const [r, g, b] = color.match(/[0-9.]+/g).map(Number); return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b); };
  const behind = (element) => { for (let at = element; at; at = at.parentElement) {
    const color = getComputedStyle(at).backgroundColor; if (!/, 0\\)$|transparent/.test(color)) return color; } return 'rgb(255,255,255)'; };
  const low = [];
  for (const element of document.querySelectorAll('p, h1, h2, h3, td, th, dt, dd, a, button, caption, figcaption, .legend span, pre, svg.fig text')) {
    const style = getComputedStyle(element);
    const a = light(element.closest('svg') ? style.fill : style.color), b = light(behind(element));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) low.push(`${ratio.toFixed(2)} ${element.outerHTML.slice(0, 80)}`);
  }
  return low;
})()"""


def check_page(browser, report):
    """Everything that holds at any width."""
    failures = []
    figures = browser.evaluate(FIGURES)
    for figure in figures:
        report(f"figure {figure['id']}: {figure['marks']} marks")
        if figure["marks"] == 0:
            failures.append(f"{figure['id']}: no marks")
        if not figure["label"]:
            failures.append(f"{figure['id']}: no label for screen readers")
    if browser.evaluate("document.querySelectorAll('section').length") == 0:
        failures.append("no section")
    for element in browser.evaluate(UNLABELLED):
        failures.append(f"no name for screen readers: {element}")
    failures += check_hover(browser)
    failures += check_track(browser)
    return failures


def check_hover(browser):
    place = browser.evaluate(MIDDLE_OF_FIRST_MARK)
    if place is None:
        return []
    failures = []
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=place["x"], y=place["y"])
    if not browser.evaluate(TIP):
        failures.append("hovering a mark shows nothing")
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=1, y=1)
    if browser.evaluate(TIP):
        failures.append("the tip stays when the pointer has left")
    browser.evaluate("document.querySelector('svg.fig .points').closest('svg').focus({preventScroll: true})")
    seen = set()
    for _ in range(3):
        for kind in ("keyDown", "keyUp"):
            browser.call("Input.dispatchKeyEvent", type=kind, key="ArrowRight", code="ArrowRight",
                         windowsVirtualKeyCode=39)
        seen.add(browser.evaluate(TIP))
    if "" in seen:
        failures.append("the arrow keys show nothing")
    browser.evaluate("document.activeElement.blur()")
    return failures


def check_track(browser):
    track = browser.evaluate(TRACK)
    if track is None:
        return []
    failures = []
    if not track["changed"] or not track["restored"]:
        failures.append("zooming a track, or back, does not change the picture as it should")
    if track["has_letters"] and (len(track["letters"]) < 15 or not track["inside"]):
        failures.append(f"zoomed in, the track shows the letters '{track['letters']}'")
    if "running mean" not in track["readout"]:
        failures.append("the arrow keys read out no position of a track")
    return failures


def check_looks(browser, width, scheme, shots):
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))")
    where = f"{width} pixels, {scheme}"
    failures = [f"{where}: wider than the screen: {element}" for element in browser.evaluate(WIDER)]
    failures += [f"{where}: too little contrast: {element}" for element in browser.evaluate(CONTRAST)[:5]]
    for figure in browser.evaluate(FIGURES):
        failures += [f"{where}: {figure['id']}: outside its frame: {mark}" for mark in figure["outside"][:3]]
    if shots:
        shots.mkdir(parents=True, exist_ok=True)
        height = browser.evaluate("document.documentElement.scrollHeight")
        image = browser.call("Page.captureScreenshot", captureBeyondViewport=True,
                             clip={"x": 0, "y": 0, "width": width, "height": min(height, 6000), "scale": 1})
        (shots / f"{width}-{scheme}.png").write_bytes(base64.b64decode(image["data"]))
    return failures


def console_failures(events):
    """Errors of the page, and every address that it asked for beside its own."""
    for event in events:
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            yield f"exception: {parameters['exceptionDetails'].get('text')} {parameters['exceptionDetails'].get('exception')}"
        if method == "Runtime.consoleAPICalled":
            yield f"console: {parameters.get('args')}"
        if method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            yield f"log: {parameters['entry']['text']}"
        if method == "Network.requestWillBeSent" and not parameters["request"]["url"].startswith(("file:", "data:", "about:")):
            yield f"request: {parameters['request']['url']}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("report", type=pathlib.Path)
    parser.add_argument("--shots", type=pathlib.Path)
    parser.add_argument("--chromium", default="chromium")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(arguments.chromium, profile)
        try:
            browser.open(arguments.report.resolve().as_uri())
            failures = check_page(browser, print)
            for width in WIDTHS:
                for scheme in SCHEMES:
                    failures += check_looks(browser, width, scheme, arguments.shots)
            failures += console_failures(browser.events)
        finally:
            browser.close()
    for failure in failures:
        print(f"{arguments.report}: {failure}", file=sys.stderr)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
