import { createHmac, timingSafeEqual } from 'node:crypto';
import {
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
const TAKEN = ['taken', 'slow'];
/** What an operator answers in turns goes from one to the other and back, also when all else has come to rest. */
const OPEN = ['submitted', 'in_doubt'];

/** I17: every end has one event, written with it, and every event is told, each time the same. */
export function checkEvents(snapshot: Snapshot, told: Told, found: Found): void {
  checkOneTransaction(snapshot, found);
  const received = Map.groupBy(told.received, ({ path }) => path);
  for (const endpoint of listEndpoints(told)) {
    const records = received.get(endpoint.path) ?? [];
    checkEndpoint(snapshot, { endpoint, records }, found);
    checkReceived(snapshot, { endpoint, records }, found);
  }
}

/** Those that were there from the beginning share a path, so what came there is told apart by its book. */
function listEndpoints({ facts, lateEndpoints }: Told): readonly LateEndpoint[] {
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
        const says = `it became ${end}, and its event is called ${event.type}`;
        report(found, 'I17', transfer, says, { event });
      }
      const others = (postingsOf.get(transfer.id) ?? []).filter(
        ({ kind, writtenBy }) =>
          POSTINGS_OF_END[end]?.includes(kind) === true && writtenBy !== event.writtenBy,
      );
      if (others.length > 0) {
        const says = 'its end was booked in one transaction and told in another';
        report(found, 'I17', transfer, says, { event, others });
      }
    }
  }
}

type Told = Readonly<{
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
  const taken = new Set(records.filter(({ manner }) => TAKEN.includes(manner)).map(({ id }) => id));
  const disabled = snapshot.told.find(
    ({ subjectId, type }) => subjectId === endpoint.id && type === 'webhook.disabled',
  );
  if (disabled !== undefined) {
    const says = 'an endpoint was disabled, and no run lasts as long as one may fail';
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
  for (const event of snapshot.told) {
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
      report(found, 'I17', subject, 'an event is still untold when all has come to rest', evidence);
    } else if (rows[0]?.state === 'delivered' && !taken.has(id)) {
      report(found, 'I17', subject, 'an event counts as told, and nobody took it', evidence);
    }
  }
}

/** A late endpoint must be told of whatever is placed in the feed after it was made. */
function isFor({ afterNumber }: LateEndpoint, { feedNumber }: Snapshot['told'][number]): boolean {
  return feedNumber === null || BigInt(feedNumber) > BigInt(afterNumber);
}

const BEFORE_ALL = '-1';

function checkReceived(snapshot: Snapshot, { endpoint, records: all }: Calls, found: Found): void {
  const bookOf = new Map(snapshot.told.map((event) => [eventId(event), event.bookId]));
  for (const [id, records] of Map.groupBy(all, (record) => record.id)) {
    const [first] = records;
    const bookId = bookOf.get(id);
    if (bookId === undefined) {
      report(found, 'I17', {}, 'a webhook tells of an event that does not exist', { first });
      continue;
    }
    if (bookId !== endpoint.bookId) {
      if (endpoint.path === RECEIVER_PATH) continue;
      report(found, 'I17', {}, 'a webhook tells of an event of another book', { first });
      continue;
    }
    const bodies = new Set(records.map(({ body }) => body));
    if (bodies.size > 1) {
      report(found, 'I17', {}, 'one event was told in different words', {
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
    report(found, 'I17', {}, 'a webhook’s body tells of another event than its id', { first });
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
