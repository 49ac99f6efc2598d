import { brief, thousands } from '../results/format.ts';
import { html, type Markup } from './markup.ts';
import { linearScale } from './scale.ts';

const WIDTH = 920;
const LABELS = 190;
const VALUES = 90;
const ROW = 30;
const BAR = 14;
const TICKS = 5;
const AXIS = 26;

export type Bar = Readonly<{
  name: string;
  /** Drawn end to end; each has a class that gives its colour. */
  parts: readonly Readonly<{ value: number; className: string }>[];
  /** The figure of each round, as dots on the bar. */
  seen: readonly number[];
  label: string;
}>;

/** Horizontal bars, one below the other: names are easy to read, and lengths to compare. */
export function barPlot(
  { title, describe }: Readonly<{ title: string; describe: string }>,
  bars: readonly Bar[],
): Markup {
  const height = AXIS + ROW * bars.length + 4;
  const totals = bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0));
  const max = Math.max(...totals, ...bars.flatMap(({ seen }) => seen));
  const scale = linearScale(max, { from: LABELS, to: WIDTH - VALUES }, TICKS);
  return html`<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}. ${describe}">
    ${scale.ticks.map((tick) => gridLine(scale.at(tick), height, brief(tick)))}
    ${bars.map((bar, index) => row(bar, AXIS + ROW * index, scale.at))}
  </svg>`;
}

export function gridLine(x: number, height: number, label: string): Markup {
  return html`<line class="grid" x1="${x}" x2="${x}" y1="${AXIS - 6}" y2="${height - 4}"/>
    <text class="tick" x="${x}" y="${AXIS - 12}" text-anchor="middle">${label}</text>`;
}

function row(
  { name, parts, seen, label }: Bar,
  top: number,
  at: (value: number) => number,
): Markup {
  const middle = top + ROW / 2;
  let before = 0;
  const drawn = parts.map(({ value, className }) => {
    const x = at(before);
    before += value;
    const width = Math.max(0, at(before) - x);
    return html`<rect class="${className}" x="${x}" y="${middle - BAR / 2}" width="${width}"
      height="${BAR}" rx="2"/>`;
  });
  const dots = seen.map(
    (value) => html`<circle class="seen" cx="${at(value)}" cy="${middle}" r="2.4"/>`,
  );
  const end = Math.max(at(before), ...seen.map(at));
  return html`<g><title>${name}: ${label}${seen.length > 1 ? `; by round ${seen.map(thousands).join(', ')}` : ''}</title>
    <text class="name" x="${LABELS - 12}" y="${middle + 4}" text-anchor="end">${name}</text>
    ${drawn}${dots}
    <text class="value" x="${end + 8}" y="${middle + 4}">${label}</text></g>`;
}
