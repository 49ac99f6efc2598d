import type { Kafue, KafueError } from '../../../sdk/src/index.ts';
import type { CliProcess } from '../cli-process.ts';
import { createProgress } from '../progress.ts';
import { countOutcomes, type LineOutcome, NOT_SENT } from './line-outcome.ts';
import type { PlannedLine } from './plan-payouts.ts';
import { toPay } from './prepare-payment.ts';
import { type FinishedLine, renderCounts, renderStatuses } from './render-summary.ts';
import { type ResultPlace, writeResult } from './result-file.ts';
import { sendPayouts } from './send-payouts.ts';
import { watchTransfers } from './watch-transfers.ts';

export type FollowDeps = Pick<CliProcess, 'writeError' | 'isTerminal' | 'now' | 'pause' | 'stop'> &
  Readonly<{ kafue: Pick<Kafue, 'transfers'>; place: ResultPlace }>;

type Finished = Readonly<{ lines: readonly FinishedLine[]; endedBy: KafueError | undefined }>;

/** Sends what is left to pay, follows all lines when asked to, and keeps the result of each step. */
export async function sendAndFollow(
  deps: FollowDeps,
  planned: readonly PlannedLine[],
  { chunkSize, watchMs }: Readonly<{ chunkSize: number; watchMs: number | undefined }>,
): Promise<Finished> {
  const sent = await sendWithProgress(deps, planned, chunkSize);
  await writeResult(deps.place, sent.lines);
  if (watchMs === undefined || sent.endedBy !== undefined || deps.stop.aborted) return sent;
  const followed = await watchWithProgress(deps, sent.lines, watchMs);
  await writeResult(deps.place, followed.lines);
  return followed;
}

async function sendWithProgress(
  deps: FollowDeps,
  planned: readonly PlannedLine[],
  chunkSize: number,
): Promise<Finished> {
  const payouts = toPay(planned);
  const progress = createProgress(deps.writeError, {
    verb: 'Sent',
    total: payouts.length,
    isTerminal: deps.isTerminal.error,
  });
  const onChunk = (outcomes: readonly LineOutcome[]): void =>
    progress.show(outcomes.length, renderCounts(outcomes));
  try {
    const { outcomes, endedBy } = await sendPayouts({ ...deps, onChunk }, payouts, { chunkSize });
    const queue = outcomes.toReversed();
    const lines = planned.map(({ payout, outcome }) => {
      return { payout, outcome: outcome ?? queue.pop() ?? NOT_SENT };
    });
    return { lines, endedBy };
  } finally {
    progress.end();
  }
}

async function watchWithProgress(
  deps: FollowDeps,
  lines: readonly FinishedLine[],
  watchMs: number,
): Promise<Finished> {
  const sent = lines.map(({ outcome }) => outcome);
  const transfers = sent.filter((outcome) => 'transfer' in outcome).length;
  const progress = createProgress(deps.writeError, {
    verb: 'Final',
    total: transfers,
    isTerminal: deps.isTerminal.error,
  });
  const onRound = (outcomes: readonly LineOutcome[]): void => {
    const { statuses } = countOutcomes(outcomes);
    progress.show(transfers - statuses.pending, renderStatuses(outcomes));
  };
  try {
    const { outcomes, endedBy } = await watchTransfers({ ...deps, onRound }, sent, { watchMs });
    const followed = lines.map(({ payout, outcome }, index) => {
      return { payout, outcome: outcomes[index] ?? outcome };
    });
    return { lines: followed, endedBy };
  } finally {
    progress.end();
  }
}
