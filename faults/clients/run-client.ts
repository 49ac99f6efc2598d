import { setTimeout as pause } from 'node:timers/promises';
import type { ClientPlan, FollowUp, FollowUpById, Order } from '../plan/plan.ts';
import type { ConnectionFault } from '../proxy/connection-fault.ts';
import { type Answer, type ClientRequest, type ExchangeDeps, exchange } from './exchange.ts';
import { memberOf } from './read-member.ts';
import { type Access, writeBody } from './write-body.ts';

const TRANSFERS = '/api/v1/payments/transfers';
const CLEAN: ConnectionFault = { kind: 'clean' };
const RETRY_PAUSE_MS = 200;
/** Enough tries to outlast any outage of a run. */
const TRIES_MAX = 300;
const SERVER_ERROR = 500;
const WRONG_KEYS = {
  test: 'sk_test_0000000000000000000000000000000000',
  live: 'sk_live_0000000000000000000000000000000000',
} as const;

export type ClientDeps = ExchangeDeps &
  Readonly<{
    access: Access;
    /** Resolves when the faults have ended. */
    healed: Promise<void>;
    signal: AbortSignal;
    /** Resolves when the other client of the pair has arrived too. */
    waitForPartner: () => Promise<void>;
  }>;

/** Runs the plan's orders one after another, and follows up on the rest when the faults have ended. */
export async function runClient(deps: ClientDeps, plan: ClientPlan): Promise<void> {
  if (plan.bulkSize !== null) {
    const ready = plan.meets === true ? deps.waitForPartner : async () => undefined;
    return runBulkClient({ ...deps, ready }, plan.orders, plan.bulkSize);
  }
  const later: Order[] = [];
  for (const order of plan.orders) {
    if (deps.signal.aborted) return;
    await pause(order.pauseMs);
    const answers = await Promise.all(
      Array.from({ length: order.copies }, () => pay(deps, order, order.fates)),
    );
    const id = answers.map(readTransferId).find((found) => found !== undefined);
    if (answers.some((answer) => answer === undefined)) later.push(order);
    for (const followUp of order.afterwards) await follow(deps, { order, followUp, id });
  }
  await deps.healed;
  for (const order of later) {
    if (order.unanswered === 'again later') await pay(deps, order, []);
    if (order.unanswered === 'look up later') await lookUp(deps, order);
  }
}

/** Sends its orders in bulk calls, each repeated until it is answered. */
async function runBulkClient(
  deps: ClientDeps & Readonly<{ ready: () => Promise<void> }>,
  orders: readonly Order[],
  size: number,
): Promise<void> {
  for (let first = 0; first < orders.length && !deps.signal.aborted; first += size) {
    const list = orders.slice(first, first + size);
    await pause(list[0]?.pauseMs ?? 0);
    await deps.ready();
    await payAll(deps, list);
  }
}

async function payAll(deps: ClientDeps, orders: readonly Order[]): Promise<void> {
  const [first] = orders;
  if (first === undefined) return;
  const bodies = orders.map((order) => writeBody(deps.access, order));
  const request: ClientRequest = {
    ...payment(deps, first, CLEAN),
    path: `${TRANSFERS}/mobile-money/bulk`,
    idempotencyKey: null,
    body: `{"transfers":[${bodies.join(',')}]}`,
    reference: null,
  };
  for (let tries = 0; tries < TRIES_MAX && !deps.signal.aborted; tries += 1) {
    const answer = await exchange(deps, { ...request, fate: first.fates[tries] ?? CLEAN });
    if (answer !== undefined && answer.status < SERVER_ERROR && !hasUnavailable(answer)) return;
    await pause(RETRY_PAUSE_MS);
  }
}

/** Each transfer of a bulk call is decided alone. When some are unavailable, the whole call is sent again. */
function hasUnavailable({ body }: Answer): boolean {
  const results = memberOf(memberOf(body, 'data'), 'results');
  if (!Array.isArray(results)) return false;
  return results.some(
    (result) => memberOf(memberOf(memberOf(result, 'data'), 'error'), 'code') === 'UNAVAILABLE',
  );
}

/** Undefined: all tries were without an answer, so the result is unknown. */
async function pay(
  deps: ClientDeps,
  order: Order,
  fates: readonly ConnectionFault[],
): Promise<Answer | undefined> {
  const patient = order.unanswered === 'again';
  for (let tries = 0; tries < TRIES_MAX && !deps.signal.aborted; tries += 1) {
    const answer = await exchange(deps, payment(deps, order, fates[tries] ?? CLEAN));
    if (answer !== undefined && answer.status < SERVER_ERROR) return answer;
    if (!patient) return undefined;
    await pause(RETRY_PAUSE_MS);
  }
  return undefined;
}

function payment({ access }: ClientDeps, order: Order, fate: ConnectionFault): ClientRequest {
  return {
    method: 'POST',
    path: `${TRANSFERS}/mobile-money`,
    apiKey: order.flaw === 'wrong key' ? WRONG_KEYS[order.mode] : access.keys[order.mode],
    idempotencyKey: order.idempotencyKey,
    body: writeBody(access, order),
    reference: order.reference,
    flaw: order.flaw,
    fate,
  };
}

async function follow(
  deps: ClientDeps,
  step: Readonly<{ order: Order; followUp: FollowUp; id: string | undefined }>,
): Promise<void> {
  const { order, followUp, id } = step;
  const { kind, fate } = followUp;
  await pause(followUp.pauseMs);
  switch (kind) {
    case 'same again':
      return void (await exchange(deps, payment(deps, order, fate)));
    case 'same reference, other amount': {
      const other: Order = { ...order, amountText: '0.01' };
      return void (await exchange(deps, payment(deps, other, fate)));
    }
    case 'same key, other reference': {
      const other: Order = { ...order, reference: `${order.reference}.other` };
      return void (await exchange(deps, payment(deps, other, fate)));
    }
    default:
      if (id !== undefined) await exchange(deps, aboutId(deps, { order, id, kind, fate }));
  }
}

function aboutId(
  { access }: ClientDeps,
  about: Readonly<{ order: Order; id: string; kind: FollowUpById; fate: ConnectionFault }>,
): ClientRequest {
  const { order, id, kind, fate } = about;
  return {
    method: kind === 'cancel' ? 'POST' : 'GET',
    path: `${TRANSFERS}/${id}${kind === 'read' ? '' : `/${kind}`}`,
    apiKey: access.keys[order.mode],
    idempotencyKey: null,
    body: null,
    reference: order.reference,
    flaw: null,
    fate,
  };
}

async function lookUp(deps: ClientDeps, { reference, mode }: Order): Promise<void> {
  await exchange(deps, {
    method: 'GET',
    path: `${TRANSFERS}/status/${encodeURIComponent(reference)}`,
    apiKey: deps.access.keys[mode],
    idempotencyKey: null,
    body: null,
    reference,
    flaw: null,
    fate: CLEAN,
  });
}

/** The id in a 201, or in the transfer of a duplicate answer. */
function readTransferId(answer: Answer | undefined): string | undefined {
  const found = memberOf(answer?.body, 'data');
  const id = memberOf(found, 'id') ?? memberOf(memberOf(found, 'transfer'), 'id');
  return typeof id === 'string' ? id : undefined;
}
