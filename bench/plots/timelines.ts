import { median } from '../load/latencies.ts';
import { milliseconds, thousands } from '../results/format.ts';
import type { Round, Turns } from '../results/measured.ts';
import type { Course, Turn } from '../scenario.ts';
import { linePlot, type Series } from './line-plot.ts';
import { html, type Markup } from './markup.ts';

const MS_PER_SECOND = 1_000;

/** Each scenario over all rounds: its throughput at full speed, and its latencies. */
export function timelines(turns: Turns): Markup {
  return html`<div class="courses">${[...turns].map(([name, rounds]) => timeline(name, rounds))}</div>`;
}

function timeline(name: string, rounds: readonly Round[]): Markup {
  const paced = rounds.map((round) => round.paced ?? round.full);
  const speed = median(rounds.map(({ full }) => full.perSecond));
  const tail = median(paced.map(({ latencyMs }) => latencyMs.p99));
  return html`<article>
    <h3>${name}</h3>
    <p>${thousands(speed)} per second, p99 ${milliseconds(tail)}</p>
    ${plotOf(`${name}: per second at full speed, over time`, 'per second', [
      seriesOf(
        rounds.map(({ full }) => full),
        'speed',
        (moment) => moment.perSecond,
      ),
    ])}
    ${plotOf(`${name}: latencies over time, p50 and p99 in milliseconds`, 'ms: p50 and p99', [
      seriesOf(paced, 'p99', (moment) => moment.p99),
      seriesOf(paced, 'p50', (moment) => moment.p50),
    ])}
  </article>`;
}

type Laid = Readonly<{ series: Series; breaks: readonly number[]; endMs: number }>;

/** The turns of all rounds, one after the other. */
function seriesOf(
  turns: readonly Turn[],
  className: string,
  valueOf: (moment: Turn['timeline'][number]) => number,
): Laid {
  const points: { x: number; y: number }[] = [];
  const breaks: number[] = [];
  let startMs = 0;
  for (const { timeline } of turns) {
    if (startMs > 0) breaks.push(startMs);
    const stepMs = (timeline[1]?.atMs ?? 0) - (timeline[0]?.atMs ?? 0);
    for (const moment of timeline) {
      points.push({ x: startMs + moment.atMs + stepMs / 2, y: valueOf(moment) });
    }
    startMs += (timeline.at(-1)?.atMs ?? 0) + stepMs;
  }
  return { series: { className, points }, breaks, endMs: Math.max(startMs, 1) };
}

function plotOf(title: string, unit: string, laid: readonly Laid[]): Markup {
  const endMs = Math.max(...laid.map((one) => one.endMs));
  return linePlot({
    title,
    unit,
    breaks: laid[0]?.breaks ?? [],
    xMax: endMs,
    xLabel: `${Number((endMs / MS_PER_SECOND).toFixed(1))} s measured`,
    series: laid.map(({ series }) => series),
  });
}

/** What only one scenario shows over time, such as the drain of a backlog. */
export function courses(turns: Turns): readonly Markup[] {
  return [...turns].flatMap(([name, rounds]) =>
    rounds.flatMap(({ full }) => (full.course === undefined ? [] : [course(name, full.course)])),
  );
}

function course(name: string, { atMs, series }: Course): Markup {
  const endMs = atMs.at(-1) ?? 1;
  const plots = series.map(({ name: what, unit, values }) =>
    linePlot({
      title: `${name}: ${what} in ${unit}, over time`,
      unit: `${what}, ${unit}`,
      breaks: [],
      xMax: endMs,
      xLabel: `${(endMs / MS_PER_SECOND).toFixed(1)} s`,
      series: [
        {
          className: 'speed',
          points: atMs.map((x, index) => ({ x, y: values[index] ?? Number.NaN })),
        },
      ],
    }),
  );
  return html`<div class="courses wide">${plots}</div>`;
}
