import type { IdleCall, RunFacts, WindowRecord } from '../journal/exchange-record.ts';
import type { Exchange } from './read-journals.ts';
import { codeOf } from './shown-transfers.ts';
import type { Snapshot, TransferRow } from './snapshot.ts';
import { type Found, report } from './violation.ts';

const CREATED = 201;
/** With fewer orders in a window the check proves nothing. */
const ORDERS_MIN = 8;
/** Then a client gives up. */
const CLIENT_WAITS_MS = 3_000;
/**
 * Half of the shortest time for which the service waits for a server that does not answer: a probe or a statement of
 * it takes a second or more before it times out, so such a wait is always longer than this.
 */
const TOLERANCE_MS = 500;
/** A payout takes a handful of turns of processes, each of which a busy machine may delay as it delays an idle call. */
const TURNS = 4;
/** The usual time may differ between two windows of seconds by so much without a cause. */
const USUAL_FACTOR = 2;
const USUAL_TOLERANCE_MS = 150;

export type Isolation = Readonly<{
  facts: RunFacts;
  steady: readonly Exchange[];
  windows: readonly WindowRecord[];
  idleCalls: readonly IdleCall[];
}>;

type Stage = 'answer' | 'submission' | 'end';
type Times = Readonly<Record<Stage, readonly number[]>>;

/**
 * I36: while only the second server is away, merchants of the first get no errors and wait as long as they did right
 * before: for the answer, for the submission to the operator, and from the acceptance to the end.
 */
export function checkIsolation(
  snapshot: Pick<Snapshot, 'at' | 'transfers'>,
  seen: Isolation,
  found: Found,
): void {
  const normal = seen.windows.find(({ kind }) => kind === 'nothing broken');
  const away = seen.windows.find(({ kind }) => kind === 'server away');
  if (seen.facts.steady.length === 0) return;
  if (normal === undefined || away === undefined) {
    return report(found, 'evidence', {}, 'the second server was never away alone');
  }
  const stored = new Map(snapshot.transfers.map((transfer) => [transfer.reference, transfer]));
  const ofJournal = Map.groupBy(seen.steady, ({ place }) => place.split(' ')[0] ?? '');
  const idle = { normal: within(seen.idleCalls, normal), away: within(seen.idleCalls, away) };
  for (const { name, isFar } of seen.facts.steady) {
    const orders = ofJournal.get(name) ?? [];
    if (isFar) continue;
    const before = orders.filter((order) => isIn(order.request.at, normal));
    const meanwhile = orders.filter((order) => isIn(order.request.at, away));
    checkAnswered(meanwhile, found);
    if (before.length < ORDERS_MIN || meanwhile.length < ORDERS_MIN) {
      report(found, 'evidence', {}, `${name} ordered too little to compare its times`, {
        before: before.length,
        meanwhile: meanwhile.length,
      });
      continue;
    }
    const times = {
      normal: timesOf(before, { stored, at: snapshot.at }),
      away: timesOf(meanwhile, { stored, at: snapshot.at }),
    };
    for (const stage of ['answer', 'submission', 'end'] as const) {
      compare({ name, stage, normal: times.normal[stage], away: times.away[stage], idle }, found);
    }
  }
}

function checkAnswered(orders: readonly Exchange[], found: Found): void {
  for (const order of orders) {
    const { answered, request, place } = order;
    // One without an answer counts as one that waited as long as its client.
    if (answered === undefined || answered.status === CREATED) continue;
    const evidence = { journal: place, status: answered.status, code: codeOf(order) };
    const says = 'an order was not accepted, although only the server of other cells was away';
    report(found, 'I36', { reference: request.reference }, says, evidence);
  }
}

function timesOf(
  orders: readonly Exchange[],
  { stored, at }: Readonly<{ stored: ReadonlyMap<string, TransferRow>; at: string }>,
): Times {
  const times = { answer: [] as number[], submission: [] as number[], end: [] as number[] };
  for (const { request, answered } of orders) {
    times.answer.push(answered === undefined ? CLIENT_WAITS_MS : between(request.at, answered.at));
    const transfer = stored.get(request.reference ?? '');
    if (transfer === undefined) continue;
    // What has not been submitted or ended has waited until now.
    times.submission.push(between(request.at, transfer.firstSubmittedAt ?? at));
    // Both by the clock of the services, which may have been moved.
    times.end.push(between(transfer.createdAt, transfer.completedAt ?? at));
  }
  return times;
}

type Compared = Readonly<{
  name: string;
  stage: Stage;
  normal: readonly number[];
  away: readonly number[];
  idle: Readonly<{ normal: readonly number[]; away: readonly number[] }>;
}>;

function compare({ name, stage, normal, away, idle }: Compared, found: Found): void {
  const longestMs = Math.max(...normal) + TOLERANCE_MS + TURNS * Math.max(...idle.away, 0);
  const usualMs = USUAL_FACTOR * median(normal) + USUAL_TOLERANCE_MS + TURNS * median(idle.away);
  const evidence = {
    normal: [median(normal), Math.max(...normal)],
    away: [median(away), Math.max(...away)],
    idle: [median(idle.away), Math.max(...idle.away, 0)],
    orders: away.length,
  };
  const says = `while the server of other cells was away, ${name} waited longer than normal`;
  if (Math.max(...away) > longestMs) {
    report(found, 'I36', {}, `${says}: the longest ${stage}`, { ...evidence, allowed: longestMs });
  }
  if (median(away) > usualMs) {
    report(found, 'I36', {}, `${says}: the usual ${stage}`, { ...evidence, allowed: usualMs });
  }
}

function median(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function between(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from));
}

function isIn(at: string, { from, to }: WindowRecord): boolean {
  return at >= from && at < to;
}

function within(calls: readonly IdleCall[], window: WindowRecord): readonly number[] {
  return calls.filter(({ at }) => isIn(at, window)).map(({ ms }) => ms);
}
