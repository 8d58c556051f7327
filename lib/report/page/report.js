// Makes the figures of a report answer to pointer and keyboard. The page is complete without it.
'use strict';
(() => {
  const tip = document.getElementById('tip');

  function showTip(text, x, y) {
    tip.textContent = text;
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - box.width - 4))}px`;
    tip.style.top = `${y + 18 + box.height > innerHeight ? Math.max(4, y - box.height - 10) : y + 18}px`;
  }

  // --- Marks that carry a title: scatters and bars ---

  class Marks {
    constructor(svg) {
      this.svg = svg;
      this.marks = [...svg.querySelectorAll('.points .m')];
      this.titles = new Map();
      for (const mark of this.marks) {
        const title = mark.querySelector('title');
        this.titles.set(mark, title ? title.textContent : '');
        if (title) title.remove(); // else the browser shows a second tip
      }
      this.current = -1;
      svg.setAttribute('tabindex', '0');
      svg.setAttribute('role', 'application');
      svg.addEventListener('pointermove', (event) => this.onPointer(event));
      svg.addEventListener('pointerdown', (event) => this.onPointer(event));
      svg.addEventListener('pointerleave', () => this.clear());
      svg.addEventListener('blur', () => this.clear());
      svg.addEventListener('keydown', (event) => this.onKey(event));
    }

    clear() {
      for (const mark of this.svg.querySelectorAll('.on')) mark.classList.remove('on');
      tip.hidden = true;
    }

    show(mark, x, y) {
      this.clear();
      mark.classList.add('on');
      showTip(this.titles.get(mark), x, y);
    }

    onPointer(event) {
      const mark = event.target.closest('.m') || this.nearest(event.clientX, event.clientY);
      if (mark && this.titles.has(mark)) this.show(mark, event.clientX, event.clientY);
      else this.clear();
    }

    /** The middle of each mark, in units of the view box; marks do not move. */
    middles() {
      this.places = this.places || this.marks.map((mark) => {
        const box = mark.getBBox();
        return [box.x + box.width / 2, box.y + box.height / 2];
      });
      return this.places;
    }

    nearest(clientX, clientY) {
      const matrix = this.svg.getScreenCTM();
      if (!matrix) return null;
      const at = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
      let best = null;
      let bestDistance = 10 / matrix.a; // ten pixels
      this.middles().forEach(([x, y], i) => {
        const distance = Math.hypot(x - at.x, y - at.y);
        if (distance < bestDistance) {
          bestDistance = distance;
          best = this.marks[i];
        }
      });
      return best;
    }

    /** Marks from left to right, which is how the arrow keys go. */
    order() {
      if (!this.sorted) {
        const middles = this.middles();
        const numbers = this.marks.map((_, i) => i).sort((a, b) => middles[a][0] - middles[b][0]);
        this.sorted = numbers.map((i) => this.marks[i]);
      }
      return this.sorted;
    }

    onKey(event) {
      const last = this.marks.length - 1;
      const next = {
        ArrowRight: this.current + 1, ArrowDown: this.current + 1, ArrowLeft: this.current - 1,
        ArrowUp: this.current - 1, Home: 0, End: last,
      }[event.key];
      if (event.key === 'Escape') this.clear();
      if (next === undefined || last < 0) return;
      event.preventDefault();
      this.current = Math.max(0, Math.min(last, next));
      const mark = this.order()[this.current];
      const box = mark.getBoundingClientRect();
      this.show(mark, box.right, box.bottom);
    }
  }

  // --- Tracks: drawn again for the part of the region that is in view ---

  const LEFT = 62;
  const RIGHT = 12;
  const TOP = 8;
  const HEIGHT = 160;
  const LETTER_PIXELS = 9;
  const NO_VALUE = 65535;

  function element(name, attributes, text) {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  /** Round numbers in [low, high], about n of them. */
  function ticks(low, high, n) {
    const raw = (high - low) / n;
    const power = 10 ** Math.floor(Math.log10(raw));
    const part = raw / power;
    const step = power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
    const list = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i) list.push(i * step);
    return list;
  }

  const short = (value) => (Number.isNaN(value) ? 'none' : String(+value.toPrecision(4)));

  class Track {
    constructor(figure) {
      const data = figure.dataset;
      this.figure = figure;
      this.svg = figure.querySelector('svg.fig:not(.key)');
      this.readout = figure.querySelector('.readout');
      this.begin = +data.begin;
      this.end = +data.end;
      this.step = +data.step;
      this.low = +data.low;
      this.high = +data.high;
      this.dips = data.dips.split(' ').filter(Boolean).map((dip) => dip.split('-').map(Number));
      this.unpack(atob(data.values));
      this.half = Math.max(0, Math.round(+data.window / this.step) >> 1);
      this.from = this.begin;
      this.to = this.end;
      this.cursor = null;
      this.listen();
      new ResizeObserver(() => this.draw()).observe(figure);
    }

    /** values[i] is the mean of positions begin + i * step ... ; sums make any mean of them cheap. */
    unpack(bytes) {
      const n = bytes.length / 2;
      this.values = new Float64Array(n);
      this.sums = new Float64Array(n + 1);
      this.counts = new Uint32Array(n + 1);
      for (let i = 0; i < n; ++i) {
        const level = bytes.charCodeAt(2 * i) | (bytes.charCodeAt(2 * i + 1) << 8);
        const has = level !== NO_VALUE;
        this.values[i] = has ? this.low + (this.high - this.low) * level / (NO_VALUE - 1) : NaN;
        this.sums[i + 1] = this.sums[i] + (has ? this.values[i] : 0);
        this.counts[i + 1] = this.counts[i] + (has ? 1 : 0);
      }
    }

    mean(cell) {
      const a = Math.max(0, cell - this.half);
      const b = Math.min(this.values.length, cell + this.half + 1);
      return (this.sums[b] - this.sums[a]) / (this.counts[b] - this.counts[a]);
    }

    listen() {
      this.figure.classList.add('live');
      const tools = this.figure.querySelector('.tools');
      tools.hidden = false;
      tools.addEventListener('click', (event) => this.act(event.target.dataset.do));
      this.svg.setAttribute('tabindex', '0');
      this.svg.setAttribute('role', 'application');
      this.svg.addEventListener('keydown', (event) => this.onKey(event));
      this.svg.addEventListener('pointermove', (event) => this.point(this.positionAt(event)));
      this.svg.addEventListener('pointerdown', (event) => { this.pressed = this.positionAt(event); });
      this.svg.addEventListener('pointerup', (event) => {
        // A range that was dragged over is shown; a click is not a range.
        const there = this.positionAt(event);
        const span = Math.abs(there - this.pressed);
        if (span > (this.to - this.from) / 50) this.view(Math.min(there, this.pressed), Math.max(there, this.pressed));
      });
    }

    act(what) {
      const span = this.to - this.from;
      const middle = this.cursor !== null ? this.cursor : (this.from + this.to) / 2;
      if (what === 'in') this.view(middle - span / 4, middle + span / 4);
      if (what === 'out') this.view(middle - span, middle + span);
      if (what === 'left') this.view(this.from - span / 2, this.to - span / 2);
      if (what === 'right') this.view(this.from + span / 2, this.to + span / 2);
      if (what === 'all') this.view(this.begin, this.end);
    }

    /** Shows [from, to), moved inside the region, no narrower than 20 values. */
    view(from, to) {
      const whole = this.end - this.begin;
      const span = Math.min(whole, Math.max(Math.round(to - from), 20 * this.step));
      this.from = Math.max(this.begin, Math.min(Math.round((from + to - span) / 2), this.end - span));
      this.to = this.from + span;
      if (this.cursor !== null && (this.cursor < this.from || this.cursor >= this.to)) this.cursor = null;
      this.draw();
      this.readout.textContent = `${this.figure.dataset.contig}:${this.from + 1}-${this.to} is in view`;
    }

    positionAt(event) {
      const box = this.svg.getBoundingClientRect();
      const part = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
      return Math.floor(this.from + Math.max(0, Math.min(part, 0.999999)) * (this.to - this.from));
    }

    onKey(event) {
      const stride = Math.max(this.step, Math.round((this.to - this.from) / 200));
      const at = this.cursor !== null ? this.cursor : Math.floor((this.from + this.to) / 2);
      const moves = { ArrowLeft: at - stride, ArrowRight: at + stride, Home: this.from, End: this.to - 1 };
      const acts = { '+': 'in', '=': 'in', '-': 'out', PageUp: 'left', PageDown: 'right', 0: 'all' };
      if (event.key in moves) this.point(Math.max(this.from, Math.min(this.to - 1, moves[event.key])));
      else if (event.key in acts) this.act(acts[event.key]);
      else return;
      event.preventDefault();
    }

    point(position) {
      this.cursor = position;
      const cell = Math.floor((position - this.begin) / this.step);
      const letter = this.figure.dataset.letters.charAt(position - this.begin);
      const { contig, score } = this.figure.dataset;
      this.readout.textContent = `${contig}:${position + 1} ${letter} ${score} ${short(this.values[cell])}` +
        `${this.step > 1 ? ` (mean of ${this.step})` : ''}, running mean ${short(this.mean(cell))}`;
      this.drawCursor();
    }

    x(position) { return LEFT + (position - this.from) / (this.to - this.from) * this.inner; }

    y(value) { return TOP + HEIGHT * (1 - (value - this.low) / (this.high - this.low)); }

    draw() {
      const width = Math.max(240, Math.round(this.svg.getBoundingClientRect().width));
      this.inner = width - LEFT - RIGHT;
      const { letters } = this.figure.dataset;
      const hasLetters = letters && (this.to - this.from) * LETTER_PIXELS <= this.inner;
      const base = TOP + HEIGHT + (hasLetters ? 18 : 0);
      this.svg.setAttribute('viewBox', `0 0 ${width} ${base + 50}`);
      const kept = [...this.svg.children].filter((child) => child.id);
      const parts = [...this.dipMarks(), ...this.axisMarks(width, base), this.bandMark(), this.meanMark()];
      if (hasLetters) parts.push(...this.letterMarks(letters));
      this.svg.replaceChildren(...kept, ...parts);
      this.drawCursor();
    }

    dipMarks() {
      return this.dips.filter(([begin, end]) => begin < this.to && end > this.from).map(([begin, end]) => {
        const left = this.x(Math.max(begin, this.from));
        const right = this.x(Math.min(end, this.to));
        return element('rect', { class: 'dip', x: left, y: TOP, width: Math.max(right - left, 1.5), height: HEIGHT });
      });
    }

    /** Calls take(left, right, first cell, cell after the last) for each column of the picture. */
    columns(take) {
      const first = Math.floor((this.from - this.begin) / this.step);
      const last = Math.min(this.values.length, Math.ceil((this.to - this.begin) / this.step));
      const n = Math.min(last - first, Math.floor(this.inner));
      for (let i = 0; i < n; ++i) {
        const a = first + Math.floor(i * (last - first) / n);
        const b = first + Math.floor((i + 1) * (last - first) / n);
        const left = Math.max(LEFT, this.x(this.begin + a * this.step));
        take(left, Math.min(LEFT + this.inner, this.x(this.begin + b * this.step)), a, b);
      }
    }

    bandMark() {
      let path = '';
      this.columns((left, right, a, b) => {
        let low = Infinity;
        let high = -Infinity;
        for (let i = a; i < b; ++i) {
          if (this.values[i] < low) low = this.values[i];
          if (this.values[i] > high) high = this.values[i];
        }
        if (low > high) return;
        const top = this.y(high) - 1;
        const width = (right - left).toFixed(1);
        path += `M${left.toFixed(1)} ${top.toFixed(1)}h${width}v${(this.y(low) - top + 1).toFixed(1)}h-${width}z`;
      });
      return element('path', { class: 'band', d: path });
    }

    meanMark() {
      let path = '';
      let pen = 'M';
      this.columns((left, right, a, b) => {
        const mean = this.mean((a + b) >> 1);
        if (Number.isNaN(mean)) {
          pen = 'M';
          return;
        }
        path += `${pen}${((left + right) / 2).toFixed(1)} ${this.y(mean).toFixed(1)}`;
        pen = 'L';
      });
      return element('path', { class: 'mean', d: path });
    }

    axisMarks(width, base) {
      const { contig, score } = this.figure.dataset;
      const right = LEFT + this.inner;
      const marks = [element('path', { class: 'axis', d: `M${LEFT} ${TOP}V${base}H${right}` })];
      const n = Math.max(2, Math.min(7, Math.floor(this.inner / 120)));
      for (const tick of ticks(this.from + 1, this.to, n).filter(Number.isInteger)) {
        const x = this.x(tick - 0.5);
        marks.push(element('path', { class: 'axis', d: `M${x} ${base}v5` }),
          element('text', { class: 'tick', x, y: base + 19, 'text-anchor': x > right - 24 ? 'end' : 'middle' }, String(tick)));
      }
      for (const tick of ticks(this.low, this.high, 4)) {
        const y = this.y(tick);
        marks.push(element('path', { class: 'grid', d: `M${LEFT} ${y}H${right}` }),
          element('text', { class: 'tick', x: LEFT - 7, y: y + 4, 'text-anchor': 'end' }, short(tick)));
      }
      const middle = LEFT + this.inner / 2;
      const name = contig.length > 32 ? `${contig.slice(0, 31)}\u2026` : contig;
      marks.push(element('text', { class: 'axis-title', x: middle, y: base + 42, 'text-anchor': 'middle' }, `position on ${name}`),
        element('text', { class: 'axis-title', transform: `translate(15 ${TOP + HEIGHT / 2}) rotate(-90)`, 'text-anchor': 'middle' }, score));
      return marks;
    }

    letterMarks(letters) {
      const marks = [];
      for (let position = this.from; position < this.to; ++position) {
        marks.push(element('text', { class: 'letter', x: this.x(position + 0.5), y: TOP + HEIGHT + 14 },
          letters.charAt(position - this.begin)));
      }
      return marks;
    }

    drawCursor() {
      for (const old of this.svg.querySelectorAll('.cursor')) old.remove();
      if (this.cursor === null) return;
      const x = this.x(this.cursor + 0.5);
      this.svg.append(element('path', { class: 'cursor', d: `M${x} ${TOP}v${HEIGHT}` }));
    }
  }

  // --- Start ---

  for (const points of document.querySelectorAll('svg.fig .points')) new Marks(points.closest('svg'));
  const tracks = new Map();
  for (const figure of document.querySelectorAll('figure.track')) {
    const track = new Track(figure);
    tracks.set(track.svg.id, track);
  }

  for (const link of document.querySelectorAll('a[data-locus]')) {
    link.addEventListener('click', () => {
      const track = tracks.get(link.getAttribute('href').slice(1));
      const [begin, end] = link.dataset.locus.slice(link.dataset.locus.lastIndexOf(':') + 1).split('-').map(Number);
      if (!track) return;
      const flank = Math.max(30, end - begin);
      track.view(begin - 1 - flank, end + flank);
      track.svg.focus({ preventScroll: true });
    });
  }

  for (const button of document.querySelectorAll('.copy button')) {
    button.addEventListener('click', async () => {
      const block = button.previousElementSibling;
      getSelection().selectAllChildren(block); // to be copied by hand where the clipboard is refused
      try {
        await navigator.clipboard.writeText(block.textContent);
        button.textContent = 'Copied';
      } catch {
        button.textContent = 'Selected';
      }
    });
  }
})();
