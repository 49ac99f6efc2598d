import type { Violation } from './checker/violation.ts';
import type { SeedResult } from './run-seed.ts';

const MS_PER_SECOND = 1_000;
/** One bug can affect every transfer of a run; the first few are shown, the folder has the rest. */
const SHOWN_MAX = 5;
const EVIDENCE_LENGTH_MAX = 400;

function replayCommand({ seed, cells }: Pick<SeedResult, 'seed' | 'cells'>): string {
  return `npm run faults -- --seed ${seed}${cells === 1 ? '' : ` --cells ${cells}`} --keep`;
}

/** One line for a seed, with its violations below. */
export function renderSeed(result: SeedResult): string {
  const { seed, digest, seen, violations } = result;
  const line =
    `${violations.length === 0 ? '✔' : '✖'} seed ${seed} plan ${digest} · ` +
    `${result.faultsDone}/${result.faultsPlanned} faults · ${seen?.exchanges ?? 0} requests · ` +
    `${seen?.transfers ?? 0} transfers · ${seen?.bankReads ?? 0} reads · ` +
    `${result.paid} paid · ${(result.elapsedMs / MS_PER_SECOND).toFixed(1)} s` +
    (result.flagged === 0 ? '' : ` · ${result.flagged} flagged for a person`) +
    (result.skipped.length === 0 ? '' : ` · skipped here: ${result.skipped.join(', ')}`) +
    (result.ownEnds === 0 ? '' : ` · the service ended by itself ${result.ownEnds} times`);
  if (violations.length === 0) return line;
  const more = violations.length - SHOWN_MAX;
  return [
    line,
    ...violations.slice(0, SHOWN_MAX).map(renderViolation),
    ...(more > 0 ? [`  and ${more} more`] : []),
    `  kept in ${result.folder}`,
    `  replay: ${replayCommand(result)}`,
  ].join('\n');
}

function renderViolation({ invariant, says, transferId, reference, evidence }: Violation): string {
  const about = [transferId, reference].filter((name) => name !== null).join(' ');
  return `  ${invariant}: ${says}${about === '' ? '' : ` (${about})`}\n    ${shorten(evidence)}`;
}

function shorten(evidence: Violation['evidence']): string {
  const text = JSON.stringify(evidence);
  return text.length > EVIDENCE_LENGTH_MAX ? `${text.slice(0, EVIDENCE_LENGTH_MAX)}…` : text;
}

/** How long all seeds took together; the CPU time is not known on every system. */
export type Spent = Readonly<{ elapsedMs: number; cpuMs: number | undefined }>;

export function renderSummary(results: readonly SeedResult[], spent: Spent): string {
  const { seeds, violations, elapsedMs, perSeedMs, cpuPerSeedMs, failpoints } = summarize(
    results,
    spent,
  );
  const inSeconds = (ms: number) => (ms / MS_PER_SECOND).toFixed(1);
  const died = Object.entries(failpoints).map(([name, count]) => `${name} ${count}`);
  return (
    `${seeds} seeds, ${violations} violations, ` +
    `${(elapsedMs / MS_PER_SECOND).toFixed(0)} s, ${inSeconds(perSeedMs)} s a seed` +
    (cpuPerSeedMs === undefined ? '' : `, ${inSeconds(cpuPerSeedMs)} s of CPU time a seed`) +
    (died.length === 0 ? '' : `\nkilled or stopped at: ${died.join(', ')}`)
  );
}

export function renderJson(results: readonly SeedResult[], spent: Spent): string {
  return JSON.stringify(summarize(results, spent), null, 2);
}

function countFailpoints(results: readonly SeedResult[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [name, count] of results.flatMap(({ failpoints }) => Object.entries(failpoints))) {
    counts[name] = (counts[name] ?? 0) + count;
  }
  return counts;
}

function summarize(results: readonly SeedResult[], { elapsedMs, cpuMs }: Spent) {
  const red = results.filter(({ violations }) => violations.length > 0);
  return {
    seeds: results.length,
    violations: results.reduce((sum, { violations }) => sum + violations.length, 0),
    elapsedMs: Math.round(elapsedMs),
    perSeedMs: results.length === 0 ? 0 : Math.round(elapsedMs / results.length),
    ...(cpuMs === undefined ? {} : { cpuPerSeedMs: Math.round(cpuMs / (results.length || 1)) }),
    failpoints: countFailpoints(results),
    plans: results.map(({ seed, digest }) => ({ seed, digest })),
    found: red.map((result) => ({
      seed: result.seed,
      folder: result.folder,
      replay: replayCommand(result),
      violations: result.violations,
    })),
  };
}
