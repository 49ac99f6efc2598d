import { type Kafue, KafueError, type TransferInput } from '../../../sdk/src/index.ts';
import { toJsonNumber } from '../payout-file/amount.ts';
import type { Payout } from '../payout-file/payout.ts';
import { type LineOutcome, NOT_SENT, toOutcome } from './line-outcome.ts';

/** What the service takes in one call. */
export const CHUNK_MAX = 1_000;
/** How often lines that the service could not decide are sent once more. */
const ROUNDS_MAX = 3;
const ROUND_PAUSE_MS = 1_000;

export type SendDeps = Readonly<{
  kafue: Pick<Kafue, 'transfers'>;
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Ends the sending after the call that is under way. */
  stop: AbortSignal;
  /** Called after each chunk with everything so far. */
  onChunk: (outcomes: readonly LineOutcome[]) => void;
}>;

export type Sent = Readonly<{
  /** One for each payout, in their order. */
  outcomes: readonly LineOutcome[];
  /** What ended the sending early. */
  endedBy: KafueError | undefined;
}>;

/** Sends one chunk after the other, and stops at the first that got no answer. */
export async function sendPayouts(
  deps: SendDeps,
  payouts: readonly Payout[],
  { chunkSize }: Readonly<{ chunkSize: number }>,
): Promise<Sent> {
  const outcomes: LineOutcome[] = [];
  let endedBy: KafueError | undefined;
  while (outcomes.length < payouts.length && endedBy === undefined && !deps.stop.aborted) {
    const chunk = payouts.slice(outcomes.length, outcomes.length + chunkSize);
    const sent = await sendChunk(deps, chunk);
    outcomes.push(...sent.outcomes);
    endedBy = sent.endedBy;
    deps.onChunk(outcomes);
  }
  const rest = payouts.slice(outcomes.length).map(() => NOT_SENT);
  return { outcomes: [...outcomes, ...rest], endedBy };
}

async function sendChunk(deps: SendDeps, chunk: readonly Payout[]): Promise<Sent> {
  const outcomes: LineOutcome[] = chunk.map(() => NOT_SENT);
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    const undecided = [...outcomes.keys()].filter((index) => isUndecided(outcomes[index]));
    if (undecided.length === 0) break;
    if (round > 1) await deps.pause(ROUND_PAUSE_MS * (round - 1), deps.stop);
    const payouts = undecided.flatMap((index) => chunk[index] ?? []);
    const sent = await sendOnce(deps, payouts);
    for (const [position, index] of undecided.entries()) {
      const outcome = sent.outcomes[position] ?? NOT_SENT;
      // A second try that never left does not tell what became of the first.
      if (outcome.kind !== 'not_sent' || round === 1) outcomes[index] = outcome;
    }
    if (sent.endedBy !== undefined) return { outcomes, endedBy: sent.endedBy };
  }
  return { outcomes, endedBy: undefined };
}

function isUndecided(outcome: LineOutcome | undefined): boolean {
  return outcome?.kind === 'not_sent' || outcome?.kind === 'unknown';
}

async function sendOnce({ kafue }: SendDeps, payouts: readonly Payout[]): Promise<Sent> {
  try {
    const { results } = await kafue.transfers.bulk(payouts.map(toTransferInput));
    if (results.length !== payouts.length) {
      const message = 'The service answered for another number of payouts than were sent.';
      throw new KafueError({ code: 'UNEXPECTED_ANSWER', message, mayHaveBeenDone: true });
    }
    return { outcomes: results.map(toOutcome), endedBy: undefined };
  } catch (error) {
    if (!(error instanceof KafueError)) throw error;
    const { code, message, mayHaveBeenDone } = error;
    const kind = mayHaveBeenDone ? 'unknown' : 'not_sent';
    const advice = kind === 'unknown' ? ' Run the same file again: it finds out.' : '';
    const outcome: LineOutcome = { kind, code, message: `${message}${advice}` };
    return { outcomes: payouts.map(() => outcome), endedBy: error };
  }
}

function toTransferInput(payout: Payout): TransferInput {
  const { reference, phone, operator, country, walletId, narration, recipientName } = payout;
  return {
    amount: toJsonNumber(payout.amountMinor),
    reference,
    phone,
    operator,
    country,
    walletId,
    ...(narration === null ? {} : { narration }),
    ...(recipientName === null ? {} : { recipientName }),
  };
}
