import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  ANSWERED_MANNERS,
  type LateEndpoint,
  RECEIVER_PATH,
  type ReceivedRecord,
  type RunFacts,
} from '../journal/exchange-record.ts';
import type { Snapshot } from './snapshot.ts';
import { type Found, report } from './violation.ts';

const TERMINAL: Readonly<Record<string, string>> = {
  succeeded: 'transfer.successful',
  failed: 'transfer.failed',
  cancelled: 'transfer.cancelled',
  reversed: 'transfer.reversed',
};
/** The postings that an end is written with. */
const POSTINGS_OF_END: Readonly<Record<string, readonly string[]>> = {
  succeeded: ['settle', 'fee'],
  failed: ['release'],
  cancelled: ['release'],
  reversed: ['reverse', 'fee_return'],
};
const SECRET_PREFIX = 'whsec_';
/** An alternating operator moves a transfer between these states even when nothing else changes any more. */
const OPEN = ['submitted', 'in_doubt'];

/** I17: every end has one event, written in the same transaction, and every event is delivered with the same body. */
export function checkEvents(snapshot: Snapshot, records: WebhookRecords, found: Found): void {
  checkOneTransaction(snapshot, found);
  const received = Map.groupBy(records.received, ({ path }) => path);
  for (const endpoint of listEndpoints(records)) {
    const records = received.get(endpoint.path) ?? [];
    checkEndpoint(snapshot, { endpoint, records }, found);
    checkReceived(snapshot, { endpoint, records }, found);
  }
}

/** The endpoints that exist from the beginning share a path, so their deliveries are distinguished by book. */
function listEndpoints({ facts, lateEndpoints }: WebhookRecords): readonly LateEndpoint[] {
  const first = Object.values(facts.endpoints).map((endpoint) => ({
    ...endpoint,
    path: RECEIVER_PATH,
    afterNumber: BEFORE_ALL,
  }));
  return [...first, ...lateEndpoints];
}

function checkOneTransaction({ transfers, events, postings }: Snapshot, found: Found): void {
  const eventsOf = Map.groupBy(events, ({ transferId }) => transferId);
  const postingsOf = Map.groupBy(postings, ({ transferId }) => transferId);
  for (const transfer of transfers) {
    for (const event of eventsOf.get(transfer.id) ?? []) {
      const end = event.toState ?? '';
      if (TERMINAL[end] === undefined) continue;
      if (event.type !== TERMINAL[end]) {
        const says = `it became ${end}, but its event has the type ${event.type}`;
        report(found, 'I17', transfer, says, { event });
      }
      const others = (postingsOf.get(transfer.id) ?? []).filter(
        ({ kind, writtenBy }) =>
          POSTINGS_OF_END[end]?.includes(kind) === true && writtenBy !== event.writtenBy,
      );
      if (others.length > 0) {
        const says = 'its end and its event were written in different transactions';
        report(found, 'I17', transfer, says, { event, others });
      }
    }
  }
}

type WebhookRecords = Readonly<{
  facts: RunFacts;
  received: readonly ReceivedRecord[];
  lateEndpoints: readonly LateEndpoint[];
}>;

/** Made of the subject and the number, as the service documents it. */
function eventId({ subjectId, seq }: Readonly<{ subjectId: string; seq: number }>): string {
  return `evt_${subjectId.replaceAll('-', '')}_${seq}`;
}

type Calls = Readonly<{ endpoint: LateEndpoint; records: readonly ReceivedRecord[] }>;

function checkEndpoint(snapshot: Snapshot, { endpoint, records }: Calls, found: Found): void {
  const taken = new Set(
    records.filter(({ manner }) => ANSWERED_MANNERS.includes(manner)).map(({ id }) => id),
  );
  const disabled = snapshot.publicEvents.find(
    ({ subjectId, type }) => subjectId === endpoint.id && type === 'webhook.disabled',
  );
  if (disabled !== undefined) {
    const says = 'an endpoint was disabled, although no run lasts as long as an endpoint may fail';
    report(found, 'I17', {}, says, { endpoint: endpoint.id, disabled });
    return;
  }
  const deliveries = Map.groupBy(
    snapshot.deliveries.filter(({ endpointId }) => endpointId === endpoint.id),
    ({ subjectId, eventSeq }) => eventId({ subjectId, seq: eventSeq }),
  );
  const open = new Set(
    snapshot.transfers.filter(({ state }) => OPEN.includes(state)).map((transfer) => transfer.id),
  );
  for (const event of snapshot.publicEvents) {
    if (event.bookId !== endpoint.bookId || !isFor(endpoint, event)) continue;
    const id = eventId(event);
    const rows = deliveries.get(id) ?? [];
    const isUnderWay = event.feedNumber === null || rows[0]?.state === 'pending';
    if (isUnderWay && open.has(event.subjectId)) continue;
    const subject = { id: event.subjectId };
    const evidence = { event, rows };
    if (rows.length !== 1) {
      report(found, 'I17', subject, `an event has ${rows.length} deliveries`, evidence);
    } else if (rows[0]?.state === 'pending') {
      report(
        found,
        'I17',
        subject,
        'a delivery is still pending although nothing changes any more',
        evidence,
      );
    } else if (rows[0]?.state === 'delivered' && !taken.has(id)) {
      report(
        found,
        'I17',
        subject,
        'a delivery counts as successful, but the receiver never accepted it',
        evidence,
      );
    }
  }
}

/** A late endpoint must get every event that is placed in the feed after its creation. */
function isFor(
  { afterNumber }: LateEndpoint,
  { feedNumber }: Snapshot['publicEvents'][number],
): boolean {
  return feedNumber === null || BigInt(feedNumber) > BigInt(afterNumber);
}

const BEFORE_ALL = '-1';

function checkReceived(snapshot: Snapshot, { endpoint, records: all }: Calls, found: Found): void {
  const bookOf = new Map(snapshot.publicEvents.map((event) => [eventId(event), event.bookId]));
  for (const [id, records] of Map.groupBy(all, (record) => record.id)) {
    const [first] = records;
    const bookId = bookOf.get(id);
    if (bookId === undefined) {
      report(found, 'I17', {}, 'a webhook is about an event that does not exist', { first });
      continue;
    }
    if (bookId !== endpoint.bookId) {
      if (endpoint.path === RECEIVER_PATH) continue;
      report(found, 'I17', {}, 'a webhook is about an event of another book', { first });
      continue;
    }
    const bodies = new Set(records.map(({ body }) => body));
    if (bodies.size > 1) {
      report(found, 'I17', {}, 'one event was delivered with different bodies', {
        id,
        bodies: [...bodies],
      });
    }
    const unsigned = records.find((record) => !isSigned(record, endpoint.secret));
    if (unsigned !== undefined) {
      report(found, 'I17', {}, 'a webhook is not signed with the endpoint’s secret', { unsigned });
    }
    checkBody(id, first, found);
  }
}

function checkBody(id: string, first: ReceivedRecord | undefined, found: Found): void {
  const body = JSON.parse(first?.body ?? '{}') as { id?: string; sequence?: number };
  if (body.id !== id || id.split('_').at(-1) !== String(body.sequence)) {
    report(found, 'I17', {}, 'a webhook’s body and id are about different events', { first });
  }
}

function isSigned({ id, timestamp, body, signature }: ReceivedRecord, secret: string): boolean {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const wanted = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  return signature.split(' ').some((text) => {
    const [version, encoded = ''] = text.split(',');
    const given = Buffer.from(encoded, 'base64');
    return version === 'v1' && given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}
