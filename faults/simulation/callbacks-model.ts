import type { StoredTransfer } from './database-model.ts';
import type { BookEntry } from './operator-model.ts';
import type { ScheduleContext } from './schedule-context.ts';
import { NO_ROUTE, type Transfer } from './service-core.ts';
import { type Callback, type Claimed, isAnswer, isFinal, writeBody } from './taken-callbacks.ts';

const ROUND_MS = 500;
const ROUNDS_MAX = 12;
const LATE_MAX_MS = 3_600_000;
const TWICE_PER_MILLE = 300;
const LOST_PER_MILLE = 200;
const CLAIMS = ['paid', 'failed', 'pending'] as const;

/** Sends the operator's callbacks about an ended payout: early or late, twice, or never. */
export function announce(context: ScheduleContext, route: string, entry: BookEntry): void {
  const { eventQueue, random, operators } = context;
  const operator = operators.find(({ plan }) => plan.name === route);
  if (operator === undefined || !random.chance(operator.plan.callbacksPerMille)) return;
  const claims = entry.verdict === 'pays' ? 'paid' : 'failed';
  const { reference, paidMinor: amountMinor } = entry;
  const body = writeBody(entry, claims);
  const about = { route, reference, claims, verified: true, amountMinor, body } as const;
  const times = random.chance(TWICE_PER_MILLE) ? 2 : 1;
  for (let time = 0; time < times; time += 1) {
    const delayMs = random.between(0, random.pick([50, 5_000, LATE_MAX_MS]));
    const callback = { ...about, id: `${reference} callback ${time + 1}` };
    eventQueue.at(entry.decidedAtMs + delayMs, () => {
      operator.callsAbout(reference, claims);
      receive(context, callback);
    });
  }
}

/** Sends forged callbacks with valid references and arbitrary claims. */
export function forge(context: ScheduleContext): void {
  const { random, database, operators } = context;
  const rows = database.all();
  const row = rows[random.between(0, rows.length - 1)];
  const operator = operators[random.between(0, operators.length - 1)];
  if (row === undefined || operator === undefined) return;
  const { transfer } = row;
  const isOwn = random.chance(800);
  // One that waits for its time or for people has no route, and callbacks always come by one.
  const route = isOwn && transfer.route !== NO_ROUTE ? transfer.route : operator.plan.name;
  const { operatorReference: reference, amountMinor } = transfer;
  const claims = random.pick(CLAIMS);
  const body = Buffer.from(
    JSON.stringify({ claims, amount: String(amountMinor), mayReturn: false }),
  );
  const id = `${reference} forged ${context.eventQueue.nowMs()}`;
  receive(context, { id, route, reference, claims, verified: false, amountMinor, body });
}

function receive(context: ScheduleContext, callback: Callback): void {
  if (!context.isHealed() && context.random.chance(LOST_PER_MILLE)) return;
  context.trace.note(callback.route, `calls about ${callback.reference}: ${callback.claims}`);
  const row = context.database.findByOperatorReference(callback.reference);
  if (row !== undefined && isRead(context, callback.route)) row.calledAbout = true;
  apply(context, callback, 0);
}

/** Applies stored callbacks like the service; an early one waits for a later round. */
function apply(context: ScheduleContext, callback: Callback, rounds: number): void {
  const { database, eventQueue, deviation } = context;
  const row = database.findByOperatorReference(callback.reference);
  if (row === undefined || row.transfer.route !== callback.route) return;
  if (!isRead(context, callback.route)) return;
  if (deviation.trustsCallbacks === true) return believe(context, row.transfer, callback);
  if (row.transfer.state === 'submitting' || row.leaseOwner !== null) {
    const waitMs = ROUND_MS * 2 ** rounds;
    if (rounds < ROUNDS_MAX) eventQueue.after(waitMs, () => apply(context, callback, rounds + 1));
    return;
  }
  const operator = context.operators.find(({ plan }) => plan.name === callback.route);
  if (operator !== undefined && isFinal(operator) && isRight(context, row, callback)) {
    return take(context, callback, rounds);
  }
  if (saysMore(row.transfer.state, callback.claims)) database.bringForward(row);
}

function isRight({ deviation }: ScheduleContext, row: StoredTransfer, callback: Callback): boolean {
  return isAnswer(row, callback, deviation.statements ?? {});
}

/** Any process accepts it. If none runs, or its commit never arrived, a later round delivers it again. */
function take(context: ScheduleContext, callback: Callback, rounds: number): void {
  const { eventQueue, journal } = context;
  const again = () => {
    if (journal.taken.has(callback.id) || rounds >= ROUNDS_MAX) return;
    eventQueue.after(ROUND_MS * 2 ** rounds, () => apply(context, callback, rounds + 1));
  };
  const isDelivered = context.deliverToAny((core) => void core.takeCallback(callback).catch(again));
  if (!isDelivered) again();
}

/** A connector without inquiries does not read callbacks either, because they could have no effect. */
function isRead({ operators, plan }: ScheduleContext, route: string): boolean {
  const operator = operators.find((one) => one.plan.name === route);
  return (
    operator?.plan.abilities.inquires === true || plan.extremes.has('callbacks without inquiries')
  );
}

function saysMore(state: string, claims: Claimed): boolean {
  if (state === 'submitted' || state === 'in_doubt') return true;
  if (state === 'failed' || state === 'cancelled') return claims === 'paid';
  return state === 'succeeded' && claims === 'failed';
}

function believe(
  { database, toDate, eventQueue }: ScheduleContext,
  transfer: Transfer,
  called: Callback,
): void {
  const isOpen = ['submitting', 'submitted', 'in_doubt'].includes(transfer.state);
  if (!isOpen || called.claims === 'pending') return;
  const step = {
    to: called.claims === 'paid' ? 'succeeded' : 'failed',
    cause: 'the callback says so',
    failure: null,
    operatorTransactionId: null,
    nextActionInMs: null,
    checks: 0,
    notFoundAnswers: 0,
    needsPerson: false,
  } as const;
  const move = { transfer, step, actor: 'callback', needsLease: false, leaseFor: null };
  database.move(move, { mover: 'callback', at: toDate(eventQueue.nowMs()) });
}
