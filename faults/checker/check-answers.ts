import type { RunFacts } from '../journal/exchange-record.ts';
import type { Exchange } from './read-journals.ts';
import { codeOf, findShownTransfers, isInitiation, isList, isObject } from './shown-transfers.ts';
import type { Snapshot } from './snapshot.ts';
import { type Found, report } from './violation.ts';

const CLIENT_ERROR = 400;
const SERVER_ERROR = 500;
const CONFLICT = 409;
const NOT_FOUND = 404;

/** The refusals that a valid request may get. */
const FAIR_REFUSALS = [
  'DUPLICATE_REFERENCE',
  'INSUFFICIENT_BALANCE',
  'IDEMPOTENCY_KEY_REUSED',
  'AMOUNT_OUT_OF_BOUNDS',
];

type Answers = Readonly<{
  exchanges: readonly Exchange[];
  isLimited: boolean;
  /** The books of which the API lists all transfers at the end. */
  books: RunFacts['books'];
}>;

/** I11, I12 and the form of answers: a refusal stored nothing, and valid requests are not refused. */
export function checkAnswers(
  snapshot: Snapshot,
  { exchanges, isLimited, books }: Answers,
  found: Found,
): void {
  const fair = isLimited ? [...FAIR_REFUSALS, 'LIMIT_EXCEEDED'] : FAIR_REFUSALS;
  const stored = Map.groupBy(snapshot.transfers, ({ reference }) => reference);
  const byReference = Map.groupBy(
    exchanges.filter(isInitiation),
    ({ request }) => request.reference ?? '',
  );
  for (const [reference, tries] of byReference) {
    const ids = (stored.get(reference) ?? []).map(({ id }) => id);
    checkTries({ reference, tries, ids }, found);
  }
  for (const exchange of exchanges) {
    if (exchange.answered === undefined) continue;
    checkForm(exchange, found);
    checkFairness(exchange, fair, found);
  }
  checkList(snapshot, { exchanges, books }, found);
}

function checkTries(
  order: Readonly<{ reference: string; tries: readonly Exchange[]; ids: readonly string[] }>,
  found: Found,
): void {
  const { reference, tries, ids } = order;
  const statuses = tries.map(({ answered }) => answered?.status ?? null);
  const evidence = { ids, statuses, journals: tries.map(({ place }) => place) };
  const flaw = tries[0]?.request.flaw ?? null;
  const subject = { id: ids[0] ?? null, reference };
  const refused = statuses.every(
    (status) =>
      status !== null && status >= CLIENT_ERROR && status < SERVER_ERROR && status !== CONFLICT,
  );
  if (ids.length > 0 && (refused || flaw !== null)) {
    const says = `refused${flaw === null ? '' : ` (${flaw})`}, but stored`;
    report(found, 'I12', subject, says, evidence);
  }
  const unknown = statuses.every((status) => status === null || status >= SERVER_ERROR);
  if (unknown && ids.length > 1) {
    report(found, 'I11', subject, 'never answered, but stored more than once', evidence);
  }
}

function checkForm({ place, answered, request }: Exchange, found: Found): void {
  const { status, body, requestId } = answered ?? {};
  const succeeded = status !== undefined && status < CLIENT_ERROR;
  const whole =
    isObject(body) && body['status'] === succeeded && typeof body['message'] === 'string';
  if (!whole || requestId === null) {
    const evidence = { journal: place, path: request.path, status, body };
    report(found, 'envelope', { reference: request.reference }, 'not an envelope', evidence);
  }
  // Expected failures have their own codes; a 500 is an unexpected error.
  if (status === SERVER_ERROR) {
    const evidence = { journal: place, path: request.path, body };
    report(found, 'envelope', { reference: request.reference }, 'an internal error', evidence);
  }
}

function checkFairness(exchange: Exchange, fair: readonly string[], found: Found): void {
  const { request, answered, place } = exchange;
  const status = answered?.status ?? SERVER_ERROR;
  const subject = { reference: request.reference };
  const evidence = { journal: place, status, code: codeOf(exchange), path: request.path };
  if (request.flaw !== null) {
    if (status < CLIENT_ERROR) {
      report(found, 'I12', subject, `accepted in spite of ${request.flaw}`, evidence);
    }
    return;
  }
  if (status < CLIENT_ERROR || status >= SERVER_ERROR) return;
  if (isInitiation(exchange) && fair.includes(codeOf(exchange) ?? '')) return;
  if (request.path.endsWith('/cancel') && codeOf(exchange) === 'INVALID_STATE') return;
  // Not a violation: a request without an answer may have been lost.
  if (request.path.includes('/status/') && status === NOT_FOUND) return;
  report(found, 'refusal', subject, 'a valid request was refused', evidence);
}

/** At the end the API lists each stored transfer once. */
function checkList(
  snapshot: Snapshot,
  { exchanges, books }: Pick<Answers, 'exchanges' | 'books'>,
  found: Found,
): void {
  const lists = exchanges.filter(isList);
  const listed = findShownTransfers(lists).map(({ transfer }) => String(transfer['id']));
  const own = snapshot.transfers.filter(({ bookId }) => Object.values(books).includes(bookId));
  const unseen = new Set(own.map(({ id }) => id));
  for (const id of listed) {
    if (!unseen.delete(id)) report(found, 'I13', { id }, 'listed twice, or listed but not stored');
  }
  if (lists.length === 0 || lists.some(({ answered }) => answered?.status !== 200)) {
    return report(found, 'I13', {}, 'the API did not list the transfers at the end');
  }
  for (const id of unseen) report(found, 'I13', { id }, 'stored, but not listed by the API');
}
