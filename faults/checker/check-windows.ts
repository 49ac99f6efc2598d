import type { RunFacts, WindowRecord } from '../journal/exchange-record.ts';
import { type OperatorBook, withoutDashes } from './read-books.ts';
import type { Exchange } from './read-journals.ts';
import { codeOf, isInitiation, memberOf, textOf } from './shown-transfers.ts';
import type { Snapshot } from './snapshot.ts';
import { type Found, report } from './violation.ts';

const CREATED = 201;
const SERVER_ERROR = 500;
/** An order sent less than this before the end of the lock may be answered after it without being late. */
const TIME_TO_ANSWER_MS = 1_500;
/** With fewer orders the check proves nothing. */
const ORDERS_MIN = 4;

export type Windows = Readonly<{
  windows: readonly WindowRecord[];
  /** Each transfer of a bulk call as a separate call. */
  calls: readonly Exchange[];
  books: readonly OperatorBook[];
  facts: RunFacts;
}>;

/** I24 and I25: orders while commits could not be confirmed, and while one wallet was locked. */
export function checkWindows(snapshot: Snapshot, seen: Windows, found: Found): void {
  const orders = seen.calls.filter(isInitiation);
  const windows = seen.windows.filter(({ kind }) => !ABOUT_SERVERS.includes(kind));
  for (const window of windows) {
    if (window.kind === 'standby missing') {
      checkUnconfirmed(orders, window, found);
      if (!seen.facts.clockMoved) checkUnconfirmedSent(snapshot, { ...seen, window }, found);
    } else if (seen.facts.calm) checkOthersAnswered(orders, window, found);
  }
  if (seen.facts.calm) checkNoneUnavailable(orders, windows, found);
}

/** Checked by `check-isolation.ts`. */
const ABOUT_SERVERS: readonly WindowRecord['kind'][] = ['server away', 'nothing broken'];

/** I24: an order whose whole exchange was within a window without confirmed commits cannot be accepted. */
function checkUnconfirmed(
  orders: readonly Exchange[],
  { from, to }: WindowRecord,
  found: Found,
): void {
  for (const { request, answered, place } of orders) {
    if (answered?.status !== CREATED || request.at < from || answered.at > to) continue;
    const says = 'accepted while the standby that had to confirm it was missing';
    const evidence = { journal: place, requestedAt: request.at, answeredAt: answered.at, from, to };
    report(found, 'I24', { reference: request.reference }, says, evidence);
  }
}

/** I24: such an order cannot have been sent either. The second server waits for no standby. */
function checkUnconfirmedSent(
  { transfers }: Snapshot,
  { window, books, facts }: Pick<Windows, 'books' | 'facts'> & Readonly<{ window: WindowRecord }>,
  found: Found,
): void {
  const { from, to } = window;
  const far = new Set(
    facts.steady.flatMap((merchant) => (merchant.isFar ? Object.values(merchant.books) : [])),
  );
  const young = new Map(
    transfers
      .filter(({ createdAt, bookId }) => createdAt >= from && createdAt <= to && !far.has(bookId))
      .map((transfer) => [withoutDashes(transfer.operatorReference), transfer]),
  );
  for (const { name, taken } of books) {
    for (const { reference, receivedAt } of taken) {
      const transfer = young.get(reference);
      if (transfer === undefined || receivedAt > to) continue;
      const says = `${name} got it before its acceptance could be confirmed`;
      report(found, 'I24', transfer, says, { receivedAt, createdAt: transfer.createdAt, from, to });
    }
  }
}

function walletOf({ request }: Exchange): string | null {
  return textOf(memberOf(JSON.parse(request.body ?? '{}'), 'walletId'));
}

/** I25: orders of other wallets are answered while one is locked. */
function checkOthersAnswered(
  orders: readonly Exchange[],
  { from, to, walletId }: WindowRecord,
  found: Found,
): void {
  const lastMs = Date.parse(to) - TIME_TO_ANSWER_MS;
  const others = orders.filter(
    (order) =>
      order.request.undisturbed &&
      order.request.at >= from &&
      Date.parse(order.request.at) <= lastMs &&
      walletOf(order) !== walletId,
  );
  const inTime = others.filter(({ answered }) => answered !== undefined && answered.at <= to);
  if (others.length < ORDERS_MIN || inTime.length * 2 >= others.length) return;
  const says = `while one wallet was locked, ${inTime.length} of ${others.length} orders of other wallets were answered`;
  report(found, 'I25', {}, says, { from, to, walletId, first: others[0]?.place });
}

/** I25: where nothing breaks, only orders of a locked wallet are refused as unavailable. */
function checkNoneUnavailable(
  orders: readonly Exchange[],
  windows: readonly WindowRecord[],
  found: Found,
): void {
  const locked = new Set(windows.map(({ walletId }) => walletId));
  for (const order of orders) {
    const { answered, request, place } = order;
    if (answered === undefined || answered.status < SERVER_ERROR) continue;
    if (locked.has(walletOf(order))) continue;
    const evidence = { journal: place, status: answered.status, code: codeOf(order) };
    const says =
      'an order of an unlocked wallet was refused as unavailable although nothing was broken';
    report(found, 'I25', { reference: request.reference }, says, evidence);
  }
}
