import type { Exchange } from './read-journals.ts';
import { codeOf, findSightings, isInitiation, isList, isObject } from './sightings.ts';
import type { Snapshot } from './snapshot.ts';
import { type Found, report } from './violation.ts';

const CLIENT_ERROR = 400;
const SERVER_ERROR = 500;
const CONFLICT = 409;
const NOT_FOUND = 404;

/** The refusals that a request without a flaw may meet. */
const FAIR_REFUSALS = [
  'DUPLICATE_REFERENCE',
  'INSUFFICIENT_BALANCE',
  'IDEMPOTENCY_KEY_REUSED',
  'AMOUNT_OUT_OF_BOUNDS',
];

/** I11, I12 and the form of answers: a refusal left nothing behind, and good requests are not refused. */
export function checkAnswers(
  snapshot: Snapshot,
  { exchanges, isLimited }: Readonly<{ exchanges: readonly Exchange[]; isLimited: boolean }>,
  found: Found,
): void {
  const fair = isLimited ? [...FAIR_REFUSALS, 'LIMIT_EXCEEDED'] : FAIR_REFUSALS;
  const stored = Map.groupBy(snapshot.transfers, ({ reference }) => reference);
  const byReference = Map.groupBy(
    exchanges.filter(isInitiation),
    ({ asked }) => asked.reference ?? '',
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
  checkList(snapshot, exchanges, found);
}

function checkTries(
  order: Readonly<{ reference: string; tries: readonly Exchange[]; ids: readonly string[] }>,
  found: Found,
): void {
  const { reference, tries, ids } = order;
  const statuses = tries.map(({ answered }) => answered?.status ?? null);
  const evidence = { ids, statuses, journals: tries.map(({ place }) => place) };
  const flaw = tries[0]?.asked.flaw ?? null;
  const subject = { id: ids[0] ?? null, reference };
  const refused = statuses.every(
    (status) =>
      status !== null && status >= CLIENT_ERROR && status < SERVER_ERROR && status !== CONFLICT,
  );
  if (ids.length > 0 && (refused || flaw !== null)) {
    const says = `refused${flaw === null ? '' : ` (${flaw})`}, and stored all the same`;
    report(found, 'I12', subject, says, evidence);
  }
  const unknown = statuses.every((status) => status === null || status >= SERVER_ERROR);
  if (unknown && ids.length > 1) {
    report(found, 'I11', subject, 'never answered, and stored more than once', evidence);
  }
}

function checkForm({ place, answered, asked }: Exchange, found: Found): void {
  const { status, body, requestId } = answered ?? {};
  const succeeded = status !== undefined && status < CLIENT_ERROR;
  const whole =
    isObject(body) && body['status'] === succeeded && typeof body['message'] === 'string';
  if (!whole || requestId === null) {
    const evidence = { journal: place, path: asked.path, status, body };
    report(found, 'envelope', { reference: asked.reference }, 'not an envelope', evidence);
  }
  // Whatever breaks has a name of its own; this one means that nobody had thought of it.
  if (status === SERVER_ERROR) {
    const evidence = { journal: place, path: asked.path, body };
    report(found, 'envelope', { reference: asked.reference }, 'an internal error', evidence);
  }
}

function checkFairness(exchange: Exchange, fair: readonly string[], found: Found): void {
  const { asked, answered, place } = exchange;
  const status = answered?.status ?? SERVER_ERROR;
  const subject = { reference: asked.reference };
  const evidence = { journal: place, status, code: codeOf(exchange), path: asked.path };
  if (asked.flaw !== null) {
    if (status < CLIENT_ERROR) {
      report(found, 'I12', subject, `accepted in spite of ${asked.flaw}`, evidence);
    }
    return;
  }
  if (status < CLIENT_ERROR || status >= SERVER_ERROR) return;
  if (isInitiation(exchange) && fair.includes(codeOf(exchange) ?? '')) return;
  if (asked.path.endsWith('/cancel') && codeOf(exchange) === 'INVALID_STATE') return;
  // Nobody promised that it was stored: a request without an answer may have been lost.
  if (asked.path.includes('/status/') && status === NOT_FOUND) return;
  report(found, 'refusal', subject, 'a request without a flaw was refused', evidence);
}

/** What the API lists in the end is what is stored, each once. */
function checkList(snapshot: Snapshot, exchanges: readonly Exchange[], found: Found): void {
  const lists = exchanges.filter(isList);
  const listed = findSightings(lists).map(({ transfer }) => String(transfer['id']));
  const unseen = new Set(snapshot.transfers.map(({ id }) => id));
  for (const id of listed) {
    if (!unseen.delete(id)) report(found, 'I13', { id }, 'listed twice, or listed and not stored');
  }
  if (lists.length === 0 || lists.some(({ answered }) => answered?.status !== 200)) {
    return report(found, 'I13', {}, 'the API could not list the transfers in the end');
  }
  for (const id of unseen) report(found, 'I13', { id }, 'stored, and not listed by the API');
}
