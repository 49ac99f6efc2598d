import { setTimeout as pause } from 'node:timers/promises';
import type { Mode } from '../plan/plan.ts';
import type { ConnectionFault } from '../proxy/connection-fault.ts';
import { type ExchangeDeps, exchange } from './exchange.ts';
import type { Access } from './write-body.ts';

const EVENTS = '/api/v1/payments/events';
/** Small pages, so that a cursor is often between events that are being written. */
const PAGE_LIMIT = 20;
const PAUSE_MS = 50;
const CLEAN: ConnectionFault = { kind: 'clean' };
/** Far more than a run has, so that an endless feed is detected. */
const LAST_PAGES_MAX = 2_000;

export type FeedReader = Readonly<{
  /** Reads to the end of the feed and stops. Called when nothing changes any more. */
  finish(): Promise<void>;
}>;

/**
 * Reads a book's events page by page from the first one while faults happen. Each page is in the journal; the checker
 * requires every event in them once, in order.
 */
export function startFeedReader(
  deps: ExchangeDeps,
  { access, mode, signal }: Readonly<{ access: Access; mode: Mode; signal: AbortSignal }>,
): FeedReader {
  let cursor: string | null = null;
  let finishing = false;

  /** The number of events; undefined: there was no answer, and the same page is requested again. */
  async function readPage(): Promise<number | undefined> {
    const after = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await exchange(deps, {
      method: 'GET',
      path: `${EVENTS}?limit=${PAGE_LIMIT}${after}`,
      apiKey: access.keys[mode],
      idempotencyKey: null,
      body: null,
      reference: null,
      flaw: null,
      fate: CLEAN,
    });
    if (answer?.status !== 200) return undefined;
    const { data } = answer.body as { data: { items: unknown[]; nextCursor: string | null } };
    cursor = data.nextCursor ?? cursor;
    return data.items.length;
  }

  async function readAlong(): Promise<void> {
    while (!finishing && !signal.aborted) {
      await readPage();
      await pause(PAUSE_MS);
    }
  }
  const reading = readAlong();

  return {
    async finish() {
      finishing = true;
      await reading;
      for (let pages = 0; pages < LAST_PAGES_MAX && !signal.aborted; pages += 1) {
        if ((await readPage()) === 0) return;
      }
    },
  };
}
