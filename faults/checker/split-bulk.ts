import type { Exchange } from './read-journals.ts';
import { isObject, memberOf, textOf } from './shown-transfers.ts';

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
 * Splits a bulk call into single calls, with the answer's i-th result for the i-th transfer. An answer with another
 * number of results is not split, because its results cannot be assigned to transfers.
 */
export function splitBulk(exchange: Exchange): readonly Exchange[] {
  const { request, answered, place } = exchange;
  if (request.path !== BULK_PATH || request.body === null) return [exchange];
  const transfers = memberOf(JSON.parse(request.body), 'transfers');
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
      request: { ...request, path: INITIATE_PATH, body: JSON.stringify(transfer), reference },
      answered: answered && {
        ...answered,
        status: answered.status === OK ? statusOf(result) : answered.status,
        body: result,
      },
    };
  });
}

/** The HTTP status that the single call would have had. */
function statusOf(result: unknown): number {
  if (isObject(result) && result['status'] === true) return CREATED;
  const code = memberOf(memberOf(memberOf(result, 'data'), 'error'), 'code');
  return STATUS_BY_CODE.get(code) ?? REFUSED;
}
