import { milliseconds } from '../results/format.ts';
import { gridLine } from './bar-plot.ts';
import { html, type Markup } from './markup.ts';
import { logScale } from './scale.ts';

const WIDTH = 920;
const LABELS = 190;
const RIGHT = 40;
const ROW = 30;
const AXIS = 26;

export type LatencyRange = Readonly<{
  name: string;
  p50: number;
  p90: number;
  p99: number;
  max: number;
}>;

/** Percentiles on one line each, on a logarithmic scale: a long tail is far from the middle. */
export function rangePlot(title: string, ranges: readonly LatencyRange[]): Markup {
  const drawn = ranges.filter(({ p50, max }) => p50 > 0 && Number.isFinite(max));
  const height = AXIS + ROW * drawn.length + 4;
  const values = { min: Math.min(...drawn.map(({ p50 }) => p50)), max: maxOf(drawn) };
  const scale = logScale(values, { from: LABELS, to: WIDTH - RIGHT });
  return html`<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}">
    ${scale.ticks.map((tick) => gridLine(scale.at(tick), height, tickLabel(tick)))}
    ${drawn.map((range, index) => row(range, AXIS + ROW * index + ROW / 2, scale.at))}
  </svg>`;
}

function maxOf(ranges: readonly LatencyRange[]): number {
  return Math.max(...ranges.map(({ max }) => max));
}

function tickLabel(ms: number): string {
  return ms >= 1_000 ? `${ms / 1_000} s` : `${ms} ms`;
}

function row(
  { name, p50, p90, p99, max }: LatencyRange,
  middle: number,
  at: (value: number) => number,
): Markup {
  const words =
    `p50 ${milliseconds(p50)}, p90 ${milliseconds(p90)}, ` +
    `p99 ${milliseconds(p99)}, longest ${milliseconds(max)}`;
  return html`<g><title>${name}: ${words}</title>
    <text class="name" x="${LABELS - 12}" y="${middle + 4}" text-anchor="end">${name}</text>
    <line class="whisker" x1="${at(p50)}" x2="${at(max)}" y1="${middle}" y2="${middle}"/>
    <line class="box" x1="${at(p50)}" x2="${at(p99)}" y1="${middle}" y2="${middle}"/>
    <line class="end" x1="${at(max)}" x2="${at(max)}" y1="${middle - 5}" y2="${middle + 5}"/>
    <circle class="p50" cx="${at(p50)}" cy="${middle}" r="5"/>
    <circle class="p90" cx="${at(p90)}" cy="${middle}" r="3.4"/>
    <circle class="p99" cx="${at(p99)}" cy="${middle}" r="5"/></g>`;
}
