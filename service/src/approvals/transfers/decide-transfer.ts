import type { ActDeps } from '../../acts/act.ts';
import { recordAct } from '../../acts/record-act.ts';
import { actorCode } from '../../domain/actor.ts';
import type { Book } from '../../domain/book.ts';
import { formatMinor } from '../../domain/money.ts';
import { refuse } from '../../domain/refusal.ts';
import type { Transfer } from '../../domain/transfer.ts';
import { findListed } from '../../lists/read-numbers.ts';
import type { Routes } from '../../operators/routes/route.ts';
import type { Database, Queryable, Statement } from '../../postgres/database.ts';
import { failpoint } from '../../telemetry/failpoint.ts';
import { type Move, moveTransfers } from '../../transfers/move/move-transfers.ts';
import { mayEarlierBePaid } from '../../transfers/read/find-may-be-paid.ts';
import { lockApprovers, readApprovers } from '../read-approvers.ts';
import { type DecisionOutcome, type DecisionRequest, recordDecision } from '../record-decision.ts';
import { findWaiting, lockWaiting, type WaitingTransfer } from './find-waiting.ts';
import { endWaiting, leaveWaiting } from './leave-waiting.ts';

export type DecideDeps = ActDeps &
  Readonly<{ database: Database; directory: Queryable; routes: Routes }>;

type DecideRequest = DecisionRequest & Readonly<{ book: Book; id: string }>;

/**
 * Approves or rejects a transfer: the decision, the act and what follows of it are one transaction. Decisions about one
 * transfer wait for each other: a person's second one would wait for the first, which waits for the transfer that the
 * second has locked. Further locks are taken in the one order: roles, wallets, transfers. An approval locks the transfer
 * and needs no wallet. A rejection releases the hold: it locks nothing before its last statement, which locks the wallet
 * first and moves the transfer only as it was read.
 */
export async function decideTransfer(deps: DecideDeps, request: DecideRequest): Promise<void> {
  const { book, id, decision } = request;
  const inDirectory = await readApprovers(deps.directory, book);
  await deps.database.transaction(async (tx) => {
    await tx.query(DECIDE_ONE_BY_ONE, [id]);
    const approvers = await lockApprovers(tx, book, inDirectory);
    const found =
      decision === 'approve'
        ? await lockWaiting(tx, book, id)
        : (await findWaiting(tx, book, [id]))[0];
    if (found === undefined) throw refuse('TRANSFER_NOT_FOUND');
    refuseUnlessWaiting(found);
    if (decision === 'approve') await refuseDenied(tx, found.transfer);
    if (decision === 'approve') await refusePaidAgain(tx, found.transfer);
    const at = deps.now();
    const { subject } = found;
    const outcome = await recordDecision(tx, { bookId: book.id, subject, approvers, request });
    await record(tx, deps, { request, found, outcome });
    const move = moveAfter(deps, { request, found, outcome });
    if (move !== undefined) await moveOrRefuse(tx, deps, { move, at });
  });
  failpoint('decision-committed');
}

/** The number is arbitrary but must never change. */
const DECISION_LOCK = 7_246_310_579;
const DECIDE_ONE_BY_ONE: Statement = {
  name: 'decide-one-by-one',
  text: `select pg_advisory_xact_lock(hashtextextended($1::text, ${DECISION_LOCK}))`,
};

/** One that is over its time is as good as cancelled: it only was not looked at yet. */
export function refuseUnlessWaiting({ transfer, isExpired }: WaitingTransfer): void {
  if (transfer.state === 'awaiting_approval' && !isExpired) return;
  throw refuse('ALREADY_DECIDED', isExpired ? EXPIRED : {});
}

/** A number may be denied while its transfer waits. People can reject it then, or end the entry first. */
async function refuseDenied(tx: Queryable, transfer: Transfer): Promise<void> {
  if (await isRecipientDenied(tx, transfer)) throw refuse('RECIPIENT_DENIED', DENIED);
}

export async function isRecipientDenied(
  tx: Queryable,
  { bookId, phone }: Transfer,
): Promise<boolean> {
  const { denied } = await findListed(tx, { bookId, phones: [phone] });
  return denied.has(phone);
}

const DENIED = {
  message:
    'The number is on a deny list since this was ordered. Reject it, or have the entry ended and approve it then.',
};

/**
 * The operator may say that it paid the earlier payout while the one that pays it again waits. It is not approved until
 * that is known: it would be held back again before it leaves, and wait for another approval each time.
 */
async function refusePaidAgain(tx: Queryable, transfer: Transfer): Promise<void> {
  if (await mayEarlierBePaid(tx, transfer)) throw refuse('EARLIER_MAY_BE_PAID', MAY_BE_PAID);
}

const MAY_BE_PAID = {
  message:
    'This pays again what failed or was cancelled, and the operator may have paid that. Reject it, or ask the company that runs this service to find out and close the incident, and approve it then.',
};

/** Moves a transfer that waits, or refuses because it was faster than another decision, a cancellation or its expiry. */
export async function moveOrRefuse(
  tx: Queryable,
  deps: ActDeps,
  { move, at }: Readonly<{ move: Move; at: Date }>,
): Promise<void> {
  const [moved] = await moveTransfers(tx, { moves: [move], mover: deps.newId(), at });
  if (moved !== true) throw refuse('ALREADY_DECIDED');
}

const EXPIRED = { message: 'It was not approved in time, and is cancelled. Nothing was changed.' };

type Decided = Readonly<{
  request: DecideRequest;
  found: WaitingTransfer;
  outcome: DecisionOutcome;
}>;

function moveAfter({ routes }: DecideDeps, { request, found, outcome }: Decided): Move | undefined {
  const { transfer } = found;
  const actor = actorCode(request.actor);
  switch (outcome) {
    case 'approved':
      return leaveWaiting(routes, found, { actor, isApproved: true });
    case 'rejected':
      return endWaiting(transfer, { as: 'APPROVAL_REJECTED', actor, detail: request.reason });
    case 'waiting':
      return undefined;
    default: {
      const unhandled: never = outcome;
      throw new Error(`unhandled ${String(unhandled)}`);
    }
  }
}

async function record(
  tx: Queryable,
  deps: DecideDeps,
  { request, found, outcome }: Decided,
): Promise<void> {
  const { book, actor, decision, reason } = request;
  const { transfer, subject } = found;
  await recordAct(tx, deps, {
    actor,
    kind: decision === 'approve' ? 'TRANSFER_APPROVED' : 'TRANSFER_REJECTED',
    subject: transfer.id,
    merchantId: book.merchantId,
    bookId: book.id,
    reason,
    before: { reference: transfer.reference, state: transfer.state },
    after: { contentHash: subject.contentHash, outcome, ...amountOf(transfer) },
  });
}

function amountOf({ amountMinor, currency }: Transfer) {
  return { amount: formatMinor(amountMinor), currency };
}
