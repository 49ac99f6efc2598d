import type { IncomingMessage, ServerResponse } from 'node:http';
import { REFUSALS, refuse } from '../../domain/refusal.ts';
import { errorBody, errorHeaders } from './error-response.ts';
import { hasMuchUnread } from './read-body.ts';

/**
 * Calls that may be worked on at once: what one process answers in about a third of a second. Each
 * further one would only make all of them wait longer.
 */
export const REQUESTS_UNDER_WAY_MAX = 2_048;
/** Half of them, so that one key cannot have all. */
export const REQUESTS_OF_KEY_MAX = 1_024;

/**
 * When to come again, in turns, so that those who were refused together do not come back together. Not
 * sooner: refusing costs half of what answering does, and whoever is refused too often costs a place.
 */
const RETRY_AFTER_MIN_SECONDS = 2;
const RETRY_AFTER_TURNS = 3;

/**
 * How many calls are being worked on, and what those are told that are too many. Counted from when a
 * call is complete: whoever sends slowly takes up nobody's place.
 */
export class ConcurrencyLimit {
  readonly #max: number;
  readonly #ofKeyMax: number;
  readonly #underWayOf = new Map<string, number>();
  #underWay = 0;
  #entered = 0;
  #refused = 0;

  constructor(max: number, ofKeyMax: number) {
    this.#max = max;
    this.#ofKeyMax = ofKeyMax;
  }

  get underWay(): number {
    return this.#underWay;
  }

  /** How many calls were ever let in. */
  get entered(): number {
    return this.#entered;
  }

  /** Throws when the key has its share already. */
  enter(keyId: string): void {
    const ofKey = this.#underWayOf.get(keyId) ?? 0;
    if (ofKey >= this.#ofKeyMax) throw refuse('RATE_LIMITED');
    this.#underWayOf.set(keyId, ofKey + 1);
    this.#underWay += 1;
    this.#entered += 1;
  }

  leave(keyId: string): void {
    const ofKey = this.#underWayOf.get(keyId) ?? 0;
    if (ofKey > 1) this.#underWayOf.set(keyId, ofKey - 1);
    else this.#underWayOf.delete(keyId);
    this.#underWay -= 1;
  }

  /**
   * Whether the request should be refused at the door, before anybody looks at it. Operators' callbacks
   * and pages for the people who run the service come in always, and so does a body that could only
   * be refused by closing its connection.
   */
  mustRefuse(request: IncomingMessage): boolean {
    if (this.#underWay < this.#max) return false;
    return request.url?.startsWith('/api/') === true && !hasMuchUnread(request);
  }

  /** The same answer as always, without the way to it. */
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
