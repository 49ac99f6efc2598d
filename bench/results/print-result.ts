import type { BenchResult } from './bench-result.ts';
import type { Comparison } from './find-slower.ts';
import { milliseconds, roundRatio, thousands } from './format.ts';
import type { Ratio } from './ratios.ts';
import type { RunnerSummary } from './summarize.ts';
import { warningsOf } from './warnings.ts';

export function renderJson(result: BenchResult, comparison?: Comparison): string {
  return JSON.stringify(
    {
      scenarios: Object.fromEntries(result.scenarios),
      ratios: Object.fromEntries(result.ratios.map(({ key, value }) => [key, roundRatio(value)])),
      ratioCpuUs: Object.fromEntries(result.ratios.map(({ key, cpuUs }) => [key, cpuUs])),
      ...(comparison === undefined ? {} : { comparison }),
      machine: result.machine,
      elapsedSeconds: Math.round(result.elapsedMs / 1_000),
      checks: {
        passed: result.problems.length === 0,
        problems: result.problems,
        warnings: warningsOf(result),
      },
    },
    null,
    2,
  );
}

export function renderTable(result: BenchResult, comparison?: Comparison): string {
  const { machine } = result;
  return [
    `${machine.cores} × ${machine.cpu}, ${machine.memoryGib} GiB, ${machine.platform}, ` +
      `Node ${machine.node}, PostgreSQL ${machine.postgres}. All processes on this machine.`,
    '',
    ...alignColumns([SCENARIO_HEADINGS, ...[...result.scenarios].map(toScenarioCells)]),
    '',
    'per second: transfers, or answers of lookups, at full speed. Latency: at the given rate, even if the',
    'server stalls; without a rate, at full speed. CPU: for one transfer or answer, in the server and in',
    'PostgreSQL. load: the share of a core that the process that makes the load used.',
    '',
    ...[...result.scenarios].flatMap(describeFigures),
    ...alignColumns([RATIO_HEADINGS, ...result.ratios.map(toRatioCells)]),
    '',
    ...warningsOf(result).map((warning) => `Warning: ${warning}.`),
    ...conclusion(result),
    ...(comparison === undefined ? [] : ['', ...describeComparison(comparison)]),
  ].join('\n');
}

const SCENARIO_HEADINGS = [
  'scenario',
  'connections',
  'per second',
  'rate',
  'p50',
  'p99',
  'max',
  'CPU server',
  'CPU PostgreSQL',
  'load',
  '',
];
const RATIO_HEADINGS = ['ratio', '', 'figure', 'bar', '', 'after', '', 'CPU'];

function toScenarioCells([name, summary]: readonly [string, RunnerSummary]): readonly string[] {
  const { latencyMs, ratePerSecond, serverUs, postgresUs } = summary;
  return [
    name,
    thousands(summary.connections),
    thousands(summary.perSecond),
    ratePerSecond === null ? '–' : thousands(ratePerSecond),
    ...[latencyMs.p50, latencyMs.p99, latencyMs.max].map(milliseconds),
    ...[serverUs, postgresUs].map((cpuUs) => (cpuUs === null ? '–' : `${Math.round(cpuUs)} µs`)),
    `${Math.round(100 * summary.loadCpuShare)} %`,
    summary.what,
  ];
}

function toRatioCells({ key, what, value, cpuUs, bar, goal, reached, goalReached }: Ratio) {
  return [
    key,
    what,
    String(roundRatio(value)),
    bar,
    reached ? 'reached' : 'MISSED',
    goal,
    goalReached ? 'reached' : '',
    cpuUs === null ? '' : `${Math.round(cpuUs)} µs`,
  ];
}

/** What only some scenarios show, in a sentence each. */
function describeFigures([name, { figures }]: readonly [string, RunnerSummary]): string[] {
  const { acceptedPerSecond, refusedPerSecond, drainPerSecond } = figures;
  if (acceptedPerSecond !== undefined) {
    const { lastSettledAfterMs, lastToldAfterMs = 0 } = figures;
    const after = milliseconds(lastSettledAfterMs ?? lastToldAfterMs);
    const end = lastSettledAfterMs === undefined ? 'delivered to the merchant' : 'settled';
    return [
      `${name}: accepted ${thousands(acceptedPerSecond)}/s; the last was ${end} ${after} later.`,
      '',
    ];
  }
  if (refusedPerSecond !== undefined) {
    const { refusedP50Ms = 0, refusedP99Ms = 0 } = figures;
    return [
      `${name}: ${thousands(refusedPerSecond)}/s were refused, within ${milliseconds(refusedP50Ms)} ` +
        `(p50) and ${milliseconds(refusedP99Ms)} (p99).`,
      '',
    ];
  }
  if (drainPerSecond !== undefined) {
    const memory = Math.round(figures.memoryMb ?? Number.NaN);
    return [
      `${name}: ${thousands(drainPerSecond)}/s left the backlog; the service held ${memory} MB.`,
      '',
    ];
  }
  return [];
}

function conclusion({ problems, elapsedMs }: BenchResult): readonly string[] {
  if (problems.length > 0) {
    return ['This is NO result:', ...problems.map((problem) => `  ${problem}`)];
  }
  return [
    'Checked: there were only expected answers, every 201 is in the database with its posting and its',
    'event, wallets hold exactly their sum, what should have settled has, and the ledger verifies.',
    `It took ${Math.round(elapsedMs / 1_000)} seconds.`,
  ];
}

function describeComparison({ slower, sameKind }: Comparison): readonly string[] {
  const what = sameKind
    ? 'ratios and figures'
    : 'ratios only, because it is another kind of machine';
  if (slower.length === 0) return [`Nothing became slower by more than 10 % (${what}).`];
  return [`Slower by more than 10 % (${what}):`, ...slower.map((each) => `  ${each}`)];
}

/** Texts to the left, numbers to the right. */
function alignColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const isNumber = /^[\d–]/.test(rows[1]?.[column] ?? '');
        return isNumber ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
      })
      .join('  ')
      .trimEnd(),
  );
}
