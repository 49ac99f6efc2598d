import type { BenchResult } from './bench-result.ts';
import { warningsOf } from './warnings.ts';

export function renderJson(result: BenchResult): string {
  return JSON.stringify(
    {
      scenarios: Object.fromEntries(result.scenarios),
      ratios: Object.fromEntries(result.ratios.map(({ key, value }) => [key, roundRatio(value)])),
      machine: result.machine,
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

export function renderTable(result: BenchResult): string {
  const { machine } = result;
  const scenarios = [...result.scenarios].map(([name, summary]) => [
    name,
    String(summary.connections),
    thousands(summary.perSecond),
    summary.ratePerSecond === null ? '–' : thousands(summary.ratePerSecond),
    ...[summary.latencyMs.p50, summary.latencyMs.p99, summary.latencyMs.max].map(milliseconds),
    `${Math.round(100 * summary.loadCpuShare)} %`,
    summary.what,
  ]);
  const figures = result.ratios.map(({ key, what, value, bar, reached }) => [
    key,
    what,
    String(roundRatio(value)),
    bar,
    reached ? 'reached' : 'MISSED',
  ]);
  return [
    `${machine.cores} × ${machine.cpu}, ${machine.memoryGib} GiB, ${machine.platform}, ` +
      `Node ${machine.node}, PostgreSQL ${machine.postgres}. All processes on this machine.`,
    '',
    ...alignColumns([SCENARIO_HEADINGS, ...scenarios]),
    '',
    'Answers/s: every connection sends again when it is answered. Latency: requests leave at the rate',
    'given, whatever the server does; where there is none, one after the other. Load: its share of a core.',
    '',
    ...alignColumns([RATIO_HEADINGS, ...figures]),
    '',
    ...warningsOf(result).map((warning) => `Warning: ${warning}.`),
    ...conclusion(result),
  ].join('\n');
}

const SCENARIO_HEADINGS = [
  'scenario',
  'connections',
  'answers/s',
  'rate/s',
  'p50',
  'p99',
  'max',
  'load',
  '',
];
const RATIO_HEADINGS = ['ratio', '', 'figure', 'bar', ''];

function conclusion({ problems }: BenchResult): readonly string[] {
  if (problems.length > 0) {
    return ['This is NO result:', ...problems.map((problem) => `  ${problem}`)];
  }
  return [
    'Checked: nothing but 201 was answered, every 201 is in the database with its posting and its',
    'event, wallets hold exactly their sum, and the ledger verifies.',
  ];
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

function thousands(value: number): string {
  return Math.round(value).toLocaleString('en-GB');
}

function milliseconds(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
}

function roundRatio(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
