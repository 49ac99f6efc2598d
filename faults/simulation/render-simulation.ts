import type { Finding } from './finding.ts';
import type { SimulationSummary } from './run-simulation.ts';
import type { RedSchedule } from './simulate-seeds.ts';

const MS_PER_SECOND = 1_000;
/** One bug can affect every transfer of a schedule; the first few are shown. */
const FINDINGS_SHOWN_MAX = 5;
const TIMELINES_SHOWN_MAX = 2;

/** The command that replays a schedule. */
function replayCommand(seed: number): string {
  return `npm run faults -- --simulate 1 --seed ${seed}`;
}

/** A summary line, with the schedules that have violations below. */
export function renderSimulation(summary: SimulationSummary): string {
  const { schedules, transfers, violations, elapsedMs, schedulesPerMinute } = summary;
  const seconds = (elapsedMs / MS_PER_SECOND).toFixed(1);
  const lastSeed = summary.firstSeed + schedules - 1;
  const line =
    `${violations === 0 ? '✔' : '✖'} ${count(schedules)} schedules simulated ` +
    `(seeds ${summary.firstSeed} to ${lastSeed}), ${count(transfers)} transfers, ` +
    `${count(violations)} violations · ${seconds} s, ${count(schedulesPerMinute)} a minute`;
  const more = summary.redSchedules - summary.red.length;
  return [
    line,
    ...summary.red.map(renderRed),
    ...(more > 0 ? [`and ${count(more)} more schedules`] : []),
  ].join('\n');
}

/** The seed, the violations, the transfer's timeline, and the replay command. */
function renderRed(red: RedSchedule): string {
  const { seed, findings } = red;
  const transferIds = new Set(findings.flatMap(({ transferId }) => transferId ?? []));
  const more = findings.length - FINDINGS_SHOWN_MAX;
  return [
    `✖ seed ${seed}`,
    ...findings.slice(0, FINDINGS_SHOWN_MAX).map(renderFinding),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...[...transferIds].slice(0, TIMELINES_SHOWN_MAX).flatMap((id) => renderTimeline(red, id)),
    `  replay: ${replayCommand(seed)}`,
  ].join('\n');
}

function renderFinding({ invariant, transferId, says }: Finding): string {
  return `  ${invariant}: ${says}${transferId === null ? '' : ` (${transferId})`}`;
}

/** The events of a transfer, and of the processes during its life. */
function renderTimeline({ lines }: RedSchedule, transferId: string): readonly string[] {
  const own = lines.flatMap((line, index) => (line.subject === transferId ? [index] : []));
  const [first = 0] = own;
  const last = own.at(-1) ?? first;
  const shown = lines
    .slice(first, last + 1)
    .filter(({ subject }) => subject === transferId || subject.startsWith('process-'));
  return [
    `  ${transferId}:`,
    ...shown.map(({ atMs, subject, text }) => {
      const about = subject === transferId ? '' : `${subject} `;
      return `    ${(atMs / MS_PER_SECOND).toFixed(3).padStart(10)} s  ${about}${text}`;
    }),
  ];
}

function count(value: number): string {
  return value.toLocaleString('en');
}
