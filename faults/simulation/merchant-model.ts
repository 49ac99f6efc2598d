import type { ProcessRunner } from './process-life.ts';
import type { ScheduleContext } from './schedule-context.ts';
import type { OrderPlan } from './schedule-plan.ts';
import {
  type Book,
  FROM_KEY,
  type Initiated,
  Refusal,
  type TransferCommand,
} from './service-core.ts';
import type { Process } from './start-process.ts';

const PATIENCE_MS = 10_000;
const RETRY_MAX_MS = 60_000;
const LOST_ANSWERS_PER_MILLE = 50;
const ACTOR = 'merchant';

type MerchantDeps = Readonly<{
  context: ScheduleContext;
  processRunner: ProcessRunner;
  /** A process that accepts connections now; undefined: none does. */
  pickProcess: () => Process | undefined;
}>;

/** Lets a merchant place an order, and retry when no answer comes. */
export function placeOrder(deps: MerchantDeps, order: OrderPlan): void {
  const { eventQueue } = deps.context;
  const { context } = deps;
  const command = commandOf(context, order, order.amountMinor);
  eventQueue.at(order.atMs, () => request(deps, { order, command, tries: 1 }));
  if (order.againAtMs !== null) {
    const again = commandOf(context, { ...order, key: null }, order.againMinor);
    const last = { order, command: again, tries: order.triesMax };
    eventQueue.at(order.againAtMs, () => request(deps, last));
  }
  if (order.cancelAtMs !== null) eventQueue.at(order.cancelAtMs, () => cancel(deps, order));
}

type Attempt = Readonly<{ order: OrderPlan; command: TransferCommand; tries: number }>;

function request(deps: MerchantDeps, attempt: Attempt): void {
  const { context, processRunner, pickProcess } = deps;
  const { eventQueue, random } = context;
  const { order, command } = attempt;
  let isAnswered = false;
  const hear = (): void => {
    isAnswered = true;
  };
  const process = pickProcess();
  if (process !== undefined) {
    processRunner.deliver(process.life, () => {
      const book = bookOf(context, order.bookId);
      const request = { book, actor: ACTOR, origin: FROM_KEY, command };
      process.core.initiate(request).then(
        (initiated) => acknowledge(context, { initiated, command, hear }),
        (error: unknown) => refuse(context, { error, order, hear }),
      );
    });
  }
  eventQueue.after(PATIENCE_MS, () => {
    if (isAnswered || attempt.tries >= order.triesMax) return;
    const next = { ...attempt, tries: attempt.tries + 1 };
    eventQueue.after(random.between(0, RETRY_MAX_MS), () => request(deps, next));
  });
}

/** The service sent its answer, which may be lost on the way to the merchant. */
function acknowledge(
  { journal, random, trace }: ScheduleContext,
  said: Readonly<{ initiated: Initiated; command: TransferCommand; hear: () => void }>,
): void {
  const { transfer, replayed } = said.initiated;
  journal.acknowledged.push({
    id: transfer.id,
    bookId: transfer.bookId,
    reference: transfer.reference,
    amountMinor: said.command.amountMinor,
    phone: said.command.phone,
    isReplay: replayed,
    key: said.command.idempotencyKey,
  });
  trace.note(transfer.id, replayed ? 'answered 201 once more' : 'answered 201');
  if (!random.chance(LOST_ANSWERS_PER_MILLE)) said.hear();
}

function refuse(
  { random, trace }: ScheduleContext,
  said: Readonly<{ error: unknown; order: OrderPlan; hear: () => void }>,
): void {
  const { error, order, hear } = said;
  trace.note(order.reference, error instanceof Refusal ? `refused ${error.code}` : 'answered 503');
  // Without an answer the merchant tries again.
  if (error instanceof Refusal && !random.chance(LOST_ANSWERS_PER_MILLE)) hear();
}

function cancel({ context, processRunner, pickProcess }: MerchantDeps, order: OrderPlan): void {
  const row = context.database.findByReference(order.bookId, order.reference);
  const process = pickProcess();
  if (row === undefined || process === undefined) return;
  const { id } = row.transfer;
  processRunner.deliver(process.life, () => {
    process.core.cancel({ book: bookOf(context, order.bookId), id, actor: ACTOR }).then(
      () => confirmCancelled(context, id),
      // Too late, or no answer from the database: nothing was acknowledged.
      () => context.trace.note(id, 'not cancelled'),
    );
  });
}

function confirmCancelled({ journal, trace }: ScheduleContext, id: string): void {
  journal.cancelled.push(id);
  trace.note(id, 'answered that it is cancelled');
}

function bookOf({ plan }: ScheduleContext, id: string): Book {
  return {
    id,
    merchantId: `merchant of ${id}`,
    mode: 'live',
    feeTerms: plan.fee,
    isSuspended: false,
    controlsVersion: null,
  };
}

function commandOf(
  { plan, toDate }: ScheduleContext,
  order: OrderPlan,
  amountMinor: bigint,
): TransferCommand {
  const sendAtMs = plan.controls?.sendAtMs.get(order.reference);
  return {
    reference: order.reference,
    idempotencyKey: order.key,
    amountMinor,
    phone: order.phone,
    operator: order.operator,
    country: 'zm',
    currency: 'ZMW',
    walletId: order.walletId,
    narration: null,
    metadata: null,
    sendAt: sendAtMs === undefined ? null : toDate(sendAtMs),
    recipientName: null,
  };
}
