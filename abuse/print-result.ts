import type { AbuseResult, Row } from './abuse-run.ts';
import { inMib, inPercent } from './find-problems.ts';

const MS_PER_SECOND = 1_000;
const TITLE_WIDTH = 75;
const COLUMNS = [
  ['time', 7],
  ['served', 7],
  ['p95', 9],
  ['health', 9],
  ['memory', 9],
] as const;

export function renderHeader(): string {
  const names = COLUMNS.map(([name, width]) => name.padStart(width)).join('');
  return `   ${'attack'.padEnd(TITLE_WIDTH)}${names}  verdict`;
}

/** One line, and one more for each broken guarantee. */
export function renderRow({ id, title, observed, skipped, problems }: Row): string {
  const name = `${id.padEnd(3)}${title.padEnd(TITLE_WIDTH)}`;
  if (observed === undefined) return `${name}${''.padStart(41)}  skipped: ${skipped}`;
  const { elapsedMs, merchant, health, rssPeakBytes } = observed;
  const cells = [
    `${(elapsedMs / MS_PER_SECOND).toFixed(1)} s`,
    merchant.sent === 0 ? '–' : `${inPercent(merchant.created, merchant.sent)} %`,
    merchant.sent === 0 ? '–' : `${Math.round(merchant.p95Ms)} ms`,
    `${Math.round(health.worstMs)} ms`,
    rssPeakBytes === undefined ? '–' : `${inMib(rssPeakBytes)} MiB`,
  ];
  const line = cells.map((cell, index) => cell.padStart(COLUMNS[index]?.[1] ?? 0)).join('');
  const verdict = problems.length === 0 ? 'held' : 'RED';
  return [`${name}${line}  ${verdict}`, ...problems.map(renderProblem)].join('\n');
}

function renderProblem({ guarantee, says }: Row['problems'][number]): string {
  return `     ${guarantee}: ${says}`;
}

export function isRed({ rows, problems }: AbuseResult): boolean {
  return problems.length > 0 || rows.some((row) => row.problems.length > 0);
}

export function renderSummary(result: AbuseResult): string {
  const { rows, problems, idle, rssBeforeBytes, rssAfterBytes, seed } = result;
  const red = rows.filter((row) => row.problems.length > 0).length;
  const skipped = rows.filter(({ observed }) => observed === undefined).length;
  const memory =
    rssBeforeBytes === undefined || rssAfterBytes === undefined
      ? []
      : [`memory ${inMib(rssBeforeBytes)} MiB before, ${inMib(rssAfterBytes)} MiB after`];
  const parts = [
    `seed ${seed}`,
    ...(result.form === 'short' ? ['short form, smaller than the titles say'] : []),
    `${rows.length - red - skipped} of ${rows.length} attacks held`,
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
    ...memory,
  ];
  const rest =
    idle === undefined
      ? []
      : [
          `before the first attack: p95 ${Math.round(idle.merchantP95Ms)} ms, ` +
            `health ${Math.round(idle.healthWorstMs)} ms; a busy machine makes everything slow`,
        ];
  return ['', parts.join(' · '), ...rest, ...problems.map(renderProblem)].join('\n');
}

export function renderJson(result: AbuseResult): string {
  return JSON.stringify({ held: !isRed(result), ...result }, null, 2);
}
