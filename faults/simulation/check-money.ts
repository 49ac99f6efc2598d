import type { Report } from './finding.ts';
import { holdLegs, legsOf, type Posting } from './ledger-model.ts';
import type { ScheduleContext } from './schedule-context.ts';
import { NOT_FOUND_AGE_MIN_MS, NOT_FOUND_ANSWERS_MIN } from './service-core.ts';

/** A doubt begins when an answer is evaluated, and is recorded up to this much later. */
const COMMIT_DELAY_MAX_MS = 40_000;

/** Compares every wallet with its postings, and every transfer's postings with its state. */
export function checkMoney(context: ScheduleContext, report: Report): void {
  checkWallets(context, report);
  const byTransfer = new Map<string, Posting[]>();
  for (const posting of context.database.ledger.postings()) {
    if (posting.transferId === null) continue;
    const known = byTransfer.get(posting.transferId);
    if (known === undefined) byTransfer.set(posting.transferId, [posting]);
    else known.push(posting);
  }
  for (const { transfer } of context.database.all()) {
    const postings = byTransfer.get(transfer.id) ?? [];
    const settled = transfer.state === 'reversed' ? legsOf('succeeded', transfer) : [];
    const due = [...holdLegs(transfer), ...settled, ...legsOf(transfer.state, transfer)];
    if (describe(postings) !== describe(due)) {
      report('I8', transfer.id, `${transfer.state} with the postings ${describe(postings)}`);
    }
    for (const posting of postings) {
      if (posting.kind === 'release') checkRelease(context, posting, report);
    }
  }
}

function describe(postings: readonly Pick<Posting, 'kind' | 'amountMinor'>[]): string {
  return postings.map(({ kind, amountMinor }) => `${kind} ${amountMinor}`).join(', ');
}

function checkWallets({ database: { ledger } }: ScheduleContext, report: Report): void {
  for (const wallet of ledger.wallets()) {
    let availableMinor = 0n;
    let heldMinor = 0n;
    let seq = 0;
    for (const posting of ledger.postings()) {
      if (posting.walletId !== wallet.id) continue;
      seq += 1;
      availableMinor += posting.availableDeltaMinor;
      heldMinor += posting.heldDeltaMinor;
      const agrees =
        posting.seq === seq &&
        posting.availableAfterMinor === availableMinor &&
        posting.heldAfterMinor === heldMinor;
      if (!agrees)
        report('I3', posting.transferId, `posting ${seq} of ${wallet.id} does not add up`);
      if (availableMinor < 0n || heldMinor < 0n) {
        report('I4', posting.transferId, `${wallet.id} is below zero after posting ${seq}`);
      }
    }
    if (wallet.availableMinor !== availableMinor || wallet.heldMinor !== heldMinor) {
      report('I3', null, `${wallet.id} is not the sum of its postings`);
    }
  }
}

/** A hold is released only on evidence: an earlier answer of the operator, or a cancellation before any send. */
function checkRelease(
  context: ScheduleContext,
  { transferId, atMs }: Posting,
  report: Report,
): void {
  const { database, operators, journal } = context;
  const transfer = transferId === null ? undefined : database.find(transferId)?.transfer;
  if (transfer === undefined) return report('I8', transferId, 'a release without a transfer');
  const reference = transfer.operatorReference;
  const history = database.history().filter((entry) => entry.transferId === transfer.id);
  const isCancelled = history.some((entry) => entry.atMs === atMs && entry.to === 'cancelled');
  if (isCancelled) {
    const sent = journal.sends.some((send) => send.reference === reference);
    if (sent) report('I7', transfer.id, 'it was cancelled and released although it was sent');
    return;
  }
  const said = operators.flatMap((operator) =>
    operator.said().filter((word) => word.reference === reference && word.atMs <= atMs),
  );
  if (said.some(({ word }) => word === 'rejected')) return;
  const isFinal = operators.some(
    ({ plan }) => plan.name === transfer.route && plan.abilities.notFoundIsFinal,
  );
  const notFound = said.filter(({ word }) => word === 'notFound').length;
  const doubtAtMs = history.findLast((entry) => entry.to === 'in_doubt' && entry.atMs < atMs)?.atMs;
  const waitedMs = doubtAtMs === undefined ? 0 : atMs - doubtAtMs;
  const isOld = waitedMs + COMMIT_DELAY_MAX_MS >= NOT_FOUND_AGE_MIN_MS;
  if (isFinal && isOld && notFound >= NOT_FOUND_ANSWERS_MIN) return;
  const why = `${notFound} times not found, ${waitedMs} ms in doubt`;
  report('evidence', transfer.id, `its hold was released without evidence: ${why}`);
}
