import type { Exchange } from './read-journals.ts';
import { isObject, memberOf, textOf } from './sightings.ts';

const BULK_PATH = '/api/v1/payments/transfers/mobile-money/bulk';
const INITIATE_PATH = '/api/v1/payments/transfers/mobile-money';
const OK = 200;
const CREATED = 201;
const CONFLICT = 409;
const REFUSED = 422;
const STATUS_BY_CODE: ReadonlyMap<unknown, number> = new Map([
  ['DUPLICATE_REFERENCE', CONFLICT],
  ['INTERNAL_ERROR', 500],
  ['UNAVAILABLE', 503],
]);

/**
 * A bulk call as the single calls that it stands for, the answer's i-th result for the i-th transfer. An answer with
 * another number of results is left as it is, so that nothing in it can be taken for a transfer's own.
 */
export function splitBulk(exchange: Exchange): readonly Exchange[] {
  const { asked, answered, place } = exchange;
  if (asked.path !== BULK_PATH || asked.body === null) return [exchange];
  const transfers = memberOf(JSON.parse(asked.body), 'transfers');
  const results = memberOf(memberOf(answered?.body, 'data'), 'results');
  if (!Array.isArray(transfers)) return [exchange];
  if (answered?.status === OK && (!Array.isArray(results) || results.length !== transfers.length)) {
    return [exchange];
  }
  return transfers.map((transfer: unknown, index): Exchange => {
    const result: unknown = Array.isArray(results) ? results[index] : answered?.body;
    const reference = textOf(memberOf(transfer, 'reference'));
    return {
      place: `${place} [${index}]`,
      asked: { ...asked, path: INITIATE_PATH, body: JSON.stringify(transfer), reference },
      answered: answered && {
        ...answered,
        status: answered.status === OK ? statusOf(result) : answered.status,
        body: result,
      },
    };
  });
}

/** What the single call would have answered with. */
function statusOf(result: unknown): number {
  if (isObject(result) && result['status'] === true) return CREATED;
  const code = memberOf(memberOf(memberOf(result, 'data'), 'error'), 'code');
  return STATUS_BY_CODE.get(code) ?? REFUSED;
}
