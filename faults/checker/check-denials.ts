import type { ControlFacts } from '../journal/exchange-record.ts';
import type { Exchange } from './read-journals.ts';
import { isObject } from './shown-transfers.ts';
import type { Snapshot, TransferRow } from './snapshot.ts';
import { type Found, report } from './violation.ts';

const OK = 200;
const CREATED = 201;
const PHONE_DIGITS = 9;
const APPROVE = /\/transfers\/(?<id>[0-9a-f-]{36})\/approve$/;

/** A time in which a number was surely denied: from an answer that shows the entry to the request that ends it. */
type Denial = Readonly<{ digits: string; fromMs: number; toMs: number }>;

/** I35: while a number is denied, no new transfer pays it, and waiting transfers to it continue to wait. */
export function checkDenials(
  snapshot: Snapshot,
  { facts, controls }: Readonly<{ facts: ControlFacts; controls: readonly Exchange[] }>,
  found: Found,
): void {
  const own = snapshot.transfers.filter(({ bookId }) => bookId === facts.bookId);
  for (const denial of listDenials(controls)) {
    for (const transfer of own) {
      if (!transfer.phone.endsWith(denial.digits)) continue;
      checkTransfer(transfer, { denial, controls, found });
    }
  }
}

function listDenials(controls: readonly Exchange[]): readonly Denial[] {
  return controls.flatMap(({ request, answered }) => {
    if (!request.path.includes('/lists?') || answered?.status !== OK) return [];
    return entriesIn(answered.body).map(({ id, phone }) => {
      const ended = controls.find((other) => other.request.path.endsWith(`${id}/end`));
      return {
        digits: phone.slice(-PHONE_DIGITS),
        fromMs: Date.parse(answered.at),
        toMs: ended === undefined ? Infinity : Date.parse(ended.request.at),
      };
    });
  });
}

function entriesIn(body: unknown): readonly Readonly<{ id: string; phone: string }>[] {
  const data = isObject(body) ? body['data'] : undefined;
  const items = isObject(data) ? data['items'] : undefined;
  const entries: readonly unknown[] = Array.isArray(items) ? items : [];
  return entries
    .filter(isObject)
    .filter((entry) => entry['inForce'] === true)
    .map((entry) => ({ id: String(entry['id']), phone: String(entry['phone']) }));
}

function checkTransfer(
  transfer: TransferRow,
  run: Readonly<{ denial: Denial; controls: readonly Exchange[]; found: Found }>,
): void {
  const { denial, controls, found } = run;
  const complain = (says: string) => report(found, 'I35', transfer, says, { transfer, denial });
  const { sendAt, firstSubmittedAt } = transfer;
  const isWithin = ({ request, answered }: Exchange) =>
    answered !== undefined &&
    Date.parse(request.at) > denial.fromMs &&
    Date.parse(answered.at) < denial.toMs;
  // Times are of the database, whose clock no fault moves.
  const leftMs = firstSubmittedAt === null ? Infinity : Date.parse(firstSubmittedAt);
  if (sendAt !== null && Date.parse(sendAt) > denial.fromMs && leftMs < denial.toMs)
    complain('its time came while its number was denied, and it left');
  const orders = controls.filter(
    ({ request }) =>
      request.method === 'POST' &&
      request.path.endsWith('/transfers/mobile-money') &&
      request.reference === transfer.reference,
  );
  const first = orders.toSorted((one, other) => (one.request.at < other.request.at ? -1 : 1))[0];
  if (first !== undefined && isWithin(first) && first.answered?.status === CREATED)
    complain('it was ordered while its number was denied');
  for (const exchange of controls) {
    const id = APPROVE.exec(exchange.request.path)?.groups?.['id'];
    if (id === transfer.id && exchange.answered?.status === OK && isWithin(exchange))
      complain('it was approved while its number was denied');
  }
}
