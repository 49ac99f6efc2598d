import { brief } from '../results/format.ts';
import { html, type Markup } from './markup.ts';
import { linearScale } from './scale.ts';

const WIDTH = 440;
const HEIGHT = 150;
const LEFT = 54;
const RIGHT = 8;
const TOP = 10;
const BOTTOM = 26;
const TICKS = 3;

export type Series = Readonly<{
  className: string;
  points: readonly Readonly<{ x: number; y: number }>[];
}>;

type LinePlot = Readonly<{
  title: string;
  unit: string;
  /** Where one round ends and the next begins. */
  breaks: readonly number[];
  /** The right end of the axis, and its label. */
  xMax: number;
  xLabel: string;
  series: readonly Series[];
}>;

/** Lines over time. Points that are NaN leave a gap, and so does the end of a round. */
export function linePlot({ title, unit, breaks, xMax, xLabel, series }: LinePlot): Markup {
  const values = series.flatMap(({ points }) => points.map(({ y }) => y)).filter(Number.isFinite);
  const y = linearScale(Math.max(0, ...values), { from: HEIGHT - BOTTOM, to: TOP }, TICKS);
  const x = (value: number) => LEFT + ((WIDTH - LEFT - RIGHT) * value) / xMax;
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
    ${y.ticks.map(
      (tick) => html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y.at(tick)}"
        y2="${y.at(tick)}"/><text class="tick fine" x="${LEFT - 6}" y="${y.at(tick) + 5}"
        text-anchor="end">${brief(tick)}</text>`,
    )}
    ${breaks.map(
      (at) => html`<line class="break" x1="${x(at)}" x2="${x(at)}" y1="${TOP}"
        y2="${HEIGHT - BOTTOM}"/>`,
    )}
    ${series.map(
      ({ className, points }) =>
        html`<path class="line ${className}" d="${pathOf(
          points.map((point) => ({ x: x(point.x), y: y.at(point.y) })),
          breaks.map(x),
        )}"/>`,
    )}
    <text class="tick fine" x="${LEFT}" y="${HEIGHT - 5}">${unit}</text>
    <text class="tick fine" x="${WIDTH - RIGHT}" y="${HEIGHT - 5}" text-anchor="end">${xLabel}</text>
  </svg>`;
}

function pathOf(
  points: readonly Readonly<{ x: number; y: number }>[],
  breaks: readonly number[],
): string {
  let path = '';
  let previous: number | undefined;
  for (const { x, y } of points) {
    if (!Number.isFinite(y)) {
      previous = undefined;
      continue;
    }
    const from = previous;
    const isCut = from === undefined || breaks.some((at) => from < at && x >= at);
    path += `${isCut ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
    previous = x;
  }
  return path;
}
