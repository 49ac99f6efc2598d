import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuse } from '../../domain/refusal.ts';
import { REFUSALS } from '../../domain/refusal-codes.ts';
import { errorBody, errorHeaders } from './error-response.ts';
import { OwnerCounts } from './owner-counts.ts';
import { hasMuchUnread } from './read-body.ts';

/**
 * Calls that may be worked on at once: what one process answers in about a third of a second. Each further call would
 * only make all of them wait longer.
 */
export const REQUESTS_UNDER_WAY_MAX = 2_048;
/** Half of the total, so that one merchant cannot take all places, however many keys it has (caller.ts). */
export const REQUESTS_OF_OWNER_MAX = 1_024;

/**
 * Spread Retry-After over 2 to 4 s so that refused clients do not return together. Not sooner: a refusal costs half of
 * what an answer does, so frequent retries would take capacity from other calls.
 */
const RETRY_AFTER_MIN_SECONDS = 2;
const RETRY_AFTER_TURNS = 3;

/**
 * Counts the calls that are being worked on, and refuses those past the limit. A call counts once it has arrived
 * completely, so a client that sends slowly takes no place.
 */
export class ConcurrencyLimit {
  readonly #max: number;
  readonly #ofOwnerMax: number;
  readonly #underWayOf = new OwnerCounts();
  #underWay = 0;
  #entered = 0;
  #refused = 0;

  constructor(max: number, ofOwnerMax: number) {
    this.#max = max;
    this.#ofOwnerMax = ofOwnerMax;
  }

  get underWay(): number {
    return this.#underWay;
  }

  /** How many calls were admitted since the start. */
  get entered(): number {
    return this.#entered;
  }

  /** Throws if the owner already has its share. */
  enter(owner: string): void {
    const ofOwner = this.#underWayOf.get(owner);
    if (ofOwner >= this.#ofOwnerMax) throw refuse('RATE_LIMITED');
    this.#underWayOf.add(owner, 1);
    this.#underWay += 1;
    this.#entered += 1;
  }

  leave(owner: string): void {
    this.#underWayOf.add(owner, -1);
    this.#underWay -= 1;
  }

  /**
   * Whether to refuse the request on arrival, before it is read. Operators' callbacks, health and metrics are never
   * refused here. A body that could only be refused by closing its connection is not refused here either.
   */
  mustRefuse(request: IncomingMessage): boolean {
    if (this.#underWay < this.#max) return false;
    return request.url?.startsWith('/api/') === true && !hasMuchUnread(request);
  }

  /** Sends the usual 503, without passing through the framework. */
  refuse(response: ServerResponse, requestId: string): void {
    const retryAfterSeconds = RETRY_AFTER_MIN_SECONDS + (this.#refused % RETRY_AFTER_TURNS);
    this.#refused += 1;
    const refusal = refuse('UNAVAILABLE', { retryAfterSeconds });
    const body = JSON.stringify(errorBody(refusal, requestId));
    response
      .writeHead(REFUSALS.UNAVAILABLE.status, [
        ...Object.entries(errorHeaders(refusal)).flat(),
        'x-request-id',
        requestId,
        'content-length',
        String(Buffer.byteLength(body)),
      ])
      .end(body);
  }
}
