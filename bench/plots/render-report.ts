import type { BenchResult } from '../results/bench-result.ts';
import { milliseconds, thousands } from '../results/format.ts';
import type { Turns } from '../results/measured.ts';
import type { RunnerSummary } from '../results/summarize.ts';
import { warningsOf } from '../results/warnings.ts';
import { type Bar, barPlot } from './bar-plot.ts';
import { html, Markup } from './markup.ts';
import { rangePlot } from './range-plot.ts';
import { scoreboard } from './scoreboard.ts';
import { STYLE } from './style.ts';
import { courses, timelines } from './timelines.ts';

type Report = Readonly<{ result: BenchResult; turns: Turns; at: Date }>;

/** The whole result on one self-contained page. */
export function renderReport(report: Report): string {
  const { result, turns } = report;
  const page = html`<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Kafue: how fast it is</title><style>${new Markup(STYLE)}</style></head><body>
<header>${heading(report)}</header>
<main>
<h2>What we promised ourselves</h2>
<p class="soft">The line is the bar, the dashed line is what we are after. Ratios are held together round
by round, when the machine was as busy for the one as for the other; each figure is the median.</p>
${scoreboard(result.ratios)}
<h2>How much</h2>
<p class="soft">Transfers per second at full speed, answers where things are looked up. The bar is the
median, the dots are the rounds.</p>
<div class="card">${throughput(result)}</div>
<h2>How long</h2>
<p class="soft">At half of full speed, sent evenly even if the server stalls; where a scenario knows only one
speed, at that. Each step to the right is ten times as long.</p>
<div class="card">${keyLine([
    ['p50', 'p50'],
    ['p90', 'p90'],
    ['p99', 'p99'],
  ])}${latencies(result)}</div>
${costs(result)}
<h2>Over time</h2>
<p class="soft">All rounds one after the other; dashed lines are where one ends. The darker line of the
latencies is p50, the warm one p99.</p>
${courses(turns).map((course) => html`<div class="card">${course}</div>`)}
${timelines(turns)}
<h2>In figures</h2>
<div class="card">${table(result)}</div>
</main>
<footer>All processes shared one machine, so ratios say more than figures. How each scenario is measured is
written in bench/README.md, what was tried and what it gave in bench/RESULTS.md.</footer>
</body></html>`;
  return `<!doctype html>\n${page.text}\n`;
}

function heading({ result, at }: Report): Markup {
  const { machine, problems, elapsedMs } = result;
  return html`<h1>How fast it is</h1>
<p class="soft">${machine.cores} × ${machine.cpu}, ${machine.memoryGib} GiB, ${machine.platform},
Node ${machine.node}, PostgreSQL ${machine.postgres}; ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC,
${thousands(elapsedMs / 60_000)} minutes.</p>
<ul class="verdicts">
${
  problems.length === 0
    ? html`<li class="good">Everything that was answered is in the database, and the ledger verifies.</li>`
    : problems.map((problem) => html`<li class="bad">No result: ${problem}</li>`)
}
${warningsOf(result).map((warning) => html`<li class="mind">${warning}</li>`)}
</ul>`;
}

function throughput({ scenarios }: BenchResult): Markup {
  const bars = [...scenarios].map(
    ([name, { perSecond, perSecondByRound }]): Bar => ({
      name,
      parts: [{ value: perSecond, className: 'speed' }],
      seen: perSecondByRound,
      label: thousands(perSecond),
    }),
  );
  return barPlot(
    { title: 'Throughput by scenario', describe: 'The table below has the figures.' },
    bars,
  );
}

function latencies({ scenarios }: BenchResult): Markup {
  const ranges = [...scenarios].map(([name, { latencyMs }]) => ({ name, ...latencyMs }));
  return rangePlot('Latency percentiles by scenario. The table below has the figures.', ranges);
}

function costs({ scenarios }: BenchResult): Markup {
  const bars = [...scenarios].flatMap(([name, { serverUs, postgresUs }]): Bar[] =>
    serverUs === null || postgresUs === null
      ? []
      : [
          {
            name,
            parts: [
              { value: serverUs, className: 'server' },
              { value: postgresUs, className: 'postgres' },
            ],
            seen: [],
            label: `${thousands(serverUs)} + ${thousands(postgresUs)} µs`,
          },
        ],
  );
  if (bars.length === 0) return html``;
  return html`<h2>What it costs</h2>
<p class="soft">CPU time for one transfer or answer at full speed, in the server and in PostgreSQL.</p>
<div class="card">${keyLine([
    ['server', 'server'],
    ['postgres', 'PostgreSQL'],
  ])}
${barPlot({ title: 'CPU time by scenario', describe: 'In microseconds.' }, bars)}</div>`;
}

function keyLine(entries: readonly (readonly [string, string])[]): Markup {
  return html`<div class="key-line">${entries.map(
    ([colour, name]) => html`<span><i style="background:var(--${colour})"></i>${name}</span>`,
  )}</div>`;
}

function table({ scenarios }: BenchResult): Markup {
  const heads = ['scenario', 'connections', 'per second', 'rate', 'p50', 'p90', 'p99', 'longest'];
  return html`<table><thead><tr>${[...heads, 'server', 'PostgreSQL', 'load', ''].map(
    (head) => html`<th scope="col">${head}</th>`,
  )}</tr></thead><tbody>${[...scenarios].map(row)}</tbody></table>`;
}

function row([name, summary]: readonly [string, RunnerSummary]): Markup {
  const { latencyMs, ratePerSecond, serverUs, postgresUs } = summary;
  const microseconds = (us: number | null) => (us === null ? '–' : `${thousands(us)} µs`);
  const cells = [
    thousands(summary.connections),
    thousands(summary.perSecond),
    ratePerSecond === null ? '–' : thousands(ratePerSecond),
    ...[latencyMs.p50, latencyMs.p90, latencyMs.p99, latencyMs.max].map(milliseconds),
    microseconds(serverUs),
    microseconds(postgresUs),
    `${thousands(100 * summary.loadCpuShare)} %`,
    summary.what,
  ];
  return html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`;
}
