import type { StoredTransfer } from './database-model.ts';
import type { BookEntry } from './operator-model.ts';
import type { Scene } from './scene.ts';
import { NO_ROUTE, type Transfer } from './service-core.ts';
import { type Callback, type Claimed, isAnswer, isFinal, writeBody } from './taken-callbacks.ts';

const ROUND_MS = 500;
const ROUNDS_MAX = 12;
const LATE_MAX_MS = 3_600_000;
const TWICE_PER_MILLE = 300;
const LOST_PER_MILLE = 200;
const CLAIMS = ['paid', 'failed', 'pending'] as const;

/** Sends the operator's callbacks about an ended payout: early or late, twice, or never. */
export function announce(scene: Scene, route: string, entry: BookEntry): void {
  const { agenda, random, operators } = scene;
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
    agenda.at(entry.decidedAtMs + delayMs, () => {
      operator.callsAbout(reference, claims);
      receive(scene, callback);
    });
  }
}

/** Sends forged callbacks with valid references and arbitrary claims. */
export function forge(scene: Scene): void {
  const { random, database, operators } = scene;
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
  const id = `${reference} forged ${scene.agenda.nowMs()}`;
  receive(scene, { id, route, reference, claims, verified: false, amountMinor, body });
}

function receive(scene: Scene, callback: Callback): void {
  if (!scene.isHealed() && scene.random.chance(LOST_PER_MILLE)) return;
  scene.trace.note(callback.route, `calls about ${callback.reference}: ${callback.claims}`);
  const row = scene.database.findByOperatorReference(callback.reference);
  if (row !== undefined && isRead(scene, callback.route)) row.calledAbout = true;
  apply(scene, callback, 0);
}

/** Applies stored callbacks like the service; an early one waits for a later round. */
function apply(scene: Scene, callback: Callback, rounds: number): void {
  const { database, agenda, deviation } = scene;
  const row = database.findByOperatorReference(callback.reference);
  if (row === undefined || row.transfer.route !== callback.route) return;
  if (!isRead(scene, callback.route)) return;
  if (deviation.trustsCallbacks === true) return believe(scene, row.transfer, callback);
  if (row.transfer.state === 'submitting' || row.leaseOwner !== null) {
    const waitMs = ROUND_MS * 2 ** rounds;
    if (rounds < ROUNDS_MAX) agenda.after(waitMs, () => apply(scene, callback, rounds + 1));
    return;
  }
  const operator = scene.operators.find(({ plan }) => plan.name === callback.route);
  if (operator !== undefined && isFinal(operator) && isRight(scene, row, callback)) {
    return take(scene, callback, rounds);
  }
  if (saysMore(row.transfer.state, callback.claims)) database.bringForward(row);
}

function isRight({ deviation }: Scene, row: StoredTransfer, callback: Callback): boolean {
  return isAnswer(row, callback, deviation.statements ?? {});
}

/** Any process takes it. Where none runs, or its commit never arrived, a later round does. */
function take(scene: Scene, callback: Callback, rounds: number): void {
  const { agenda, journal } = scene;
  const again = () => {
    if (journal.taken.has(callback.id) || rounds >= ROUNDS_MAX) return;
    agenda.after(ROUND_MS * 2 ** rounds, () => apply(scene, callback, rounds + 1));
  };
  const isDelivered = scene.deliverToAny((core) => void core.takeCallback(callback).catch(again));
  if (!isDelivered) again();
}

/** A connector without inquiries does not read callbacks either, because they could have no effect. */
function isRead({ operators, plan }: Scene, route: string): boolean {
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

function believe({ database, toDate, agenda }: Scene, transfer: Transfer, called: Callback): void {
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
  database.move(move, { mover: 'callback', at: toDate(agenda.nowMs()) });
}
