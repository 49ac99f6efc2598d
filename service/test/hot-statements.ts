import { randomUUID } from 'node:crypto';
import { expireWaiting } from '../src/approvals/transfers/expire-waiting.ts';
import { findWaiting, listWaiting } from '../src/approvals/transfers/find-waiting.ts';
import { createControlSnapshots } from '../src/controls/control-snapshots.ts';
import {
  countToNumbers,
  findPaidNumbers,
  findSimilarToNumbers,
} from '../src/controls/recipient-past.ts';
import type { Book } from '../src/domain/book.ts';
import type { NextStep } from '../src/domain/standing.ts';
import type { Transfer } from '../src/domain/transfer.ts';
import { findDueWork, findOpenWork } from '../src/due-work/find-due-work.ts';
import { placeEvents } from '../src/events/place-events.ts';
import { listPostings } from '../src/ledger/list-postings.ts';
import { readFigures } from '../src/overview/read-figures.ts';
import { readHeld } from '../src/overview/read-needs.ts';
import type { Database, Row, Statement } from '../src/postgres/database.ts';
import { listLooks } from '../src/timelines/list-looks.ts';
import { commitTransfers } from '../src/transfers/accept/commit-transfers.ts';
import { acceptTransfer } from '../src/transfers/accept/prepared-transfer.ts';
import { applyCallbacks } from '../src/transfers/callbacks/apply-callbacks.ts';
import { findCallbackCell } from '../src/transfers/callbacks/find-callback-cell.ts';
import { storeAndTake } from '../src/transfers/callbacks/store-callbacks.ts';
import { giveBack } from '../src/transfers/callbacks/take-as-answer.ts';
import { claimScheduled, expireLeases } from '../src/transfers/move/claim-due.ts';
import { moveTransfers } from '../src/transfers/move/move-transfers.ts';
import { reassignRemovedRoutes } from '../src/transfers/move/reassign-removed-routes.ts';
import { countUnfinished } from '../src/transfers/read/count-unfinished.ts';
import { findMayBePaid } from '../src/transfers/read/find-may-be-paid.ts';
import { findSimilar } from '../src/transfers/read/find-similar.ts';
import { findTransfer, findTransferByReference } from '../src/transfers/read/find-transfer.ts';
import { listTransfers, NO_FILTER } from '../src/transfers/read/list-transfers.ts';
import { readHistory } from '../src/transfers/read/read-history.ts';
import { searchTransfers } from '../src/transfers/read/search-transfers.ts';
import { listEvents } from '../src/views/list-events.ts';
import { renderEvents } from '../src/views/render-event.ts';
import { showTransfers } from '../src/views/show-transfers.ts';
import { claimDeliveries, FIRST_ENDPOINT } from '../src/webhooks/claim-deliveries.ts';
import { readTransferDeliveries } from '../src/webhooks/read-transfer-deliveries.ts';
import { recordAttempts } from '../src/webhooks/record-attempts.ts';
import { callbackAbout } from './callback-world.ts';
import { claimDue } from './claim-due.ts';
import { FINISHED_BEFORE, finishedId, RARE_PHONE, WALLET_OF_FIRST_BOOK } from './finished-rows.ts';
import { prepareTransfer } from './stored-transfer.ts';

/** Statements for groups are planned once for all values; the others for the given values. */
export type HotStatement = Readonly<{
  name: string;
  text: string;
  values: readonly unknown[] | 'any';
}>;

/** Takes the statements from the code itself: it runs against a fake database that records them. */
export async function listHotStatements(book: Book): Promise<readonly HotStatement[]> {
  const heard: HotStatement[] = [];
  const listen = (values: 'any' | 'given', name?: string): Database => {
    const query = async <R extends Row>(
      statement: Statement,
      given: readonly unknown[] = [],
    ): Promise<R[]> => {
      if (!heard.some(({ text }) => text === statement.text && name === undefined)) {
        const known = name ?? statement.name;
        const isSame = (other: HotStatement) => other.name.split(' ')[0] === known;
        const same = heard.filter(isSame).length;
        heard.push({
          name: same === 0 ? known : `${known} ${same + 1}`,
          text: statement.text,
          values: values === 'any' ? 'any' : given,
        });
      }
      return [];
    };
    return {
      query,
      transaction: (work) => work({ query }),
      longTransaction: () => Promise.reject(new Error('no hot statement takes long')),
      waiting: () => 0,
      isReady: () => Promise.resolve(true),
      close: () => Promise.resolve(),
    };
  };
  await runWrites(listen('any'), book);
  await runReads((name) => listen('given', name), book);
  return heard;
}

async function runWrites(database: Database, book: Book): Promise<void> {
  const now = () => new Date();
  const leaseOwner = randomUUID();
  const prepared = prepareTransfer(book, { walletId: randomUUID(), idempotencyKey: 'key' });
  // The fake database never reports that a group fits, so the group is also decided one by one.
  const controls = createControlSnapshots({ database });
  const deps = { database, leaseOwner, now, controls };
  await commitTransfers(deps, [prepared]);
  await commitTransfers(deps, [prepared, prepareTransfer(book, { walletId: randomUUID() })]);
  const options = { metadata: { batch: '1' }, sendAt: now() };
  const scheduled = prepareTransfer(book, { walletId: randomUUID(), ...options });
  await commitTransfers(deps, [scheduled]);
  await findPaidAgain(database, book);
  const number = { bookId: book.id, phone: '+260977433571', since: now() };
  await countToNumbers(database, [{ ...number, currency: 'ZMW' }]);
  await findPaidNumbers(database, [number]);
  await findSimilarToNumbers(database, [{ ...number, amountMinor: 1n }]);
  const { transfer } = acceptTransfer(prepared, now());
  const move = { transfer, step: PAID, actor: 'test', needsLease: true, leaseFor: null };
  await moveTransfers(database, { moves: [move], mover: leaseOwner, at: now() });
  const claim = { route: 'sandbox', leaseOwner, afterBook: randomUUID(), max: 1_000 };
  await claimDue(database, { ...claim, due: 'submission' });
  await claimDue(database, { ...claim, due: 'inquiry' });
  await claimScheduled(database, { ...claim, leaseMs: 1_000 });
  await findOpenWork(database);
  await findDueWork(database);
  await claimDeliveries(database, {
    leaseOwner,
    afterEndpoint: FIRST_ENDPOINT,
    taken: [],
    perEndpointMax: 10,
    max: 1_000,
  });
  await recordDelivered(database, { book, transfer, leaseOwner });
  const inquirer = { leaseOwner, inquiriesFree: new Map([['mtn-zm', 1]]) };
  await storeAndTake(database, [callbackAbout(transfer)], inquirer);
  await applyCallbacks(database, { at: now(), families: new Map() });
  const taker = { leaseOwner, routes: new Map([['pawapay', null]]) };
  await applyCallbacks(database, { at: now(), families: new Map(), taker });
  await giveBack(database, { id: randomUUID(), transfer, leaseOwner });
  const cells = ['main', 'east'].map((name) => ({ name, database }));
  await findCallbackCell({ cells, down: [] }, { operatorReference: randomUUID(), at: now() });
  await database.transaction(placeEvents);
}

/** The fake database reports that something is in question in the book, so that references are looked up. */
async function findPaidAgain(database: Database, book: Book): Promise<void> {
  const query: Database['query'] = async <R extends Row>(
    statement: Statement,
    values?: readonly unknown[],
  ): Promise<R[]> => {
    const rows = await database.query<R>(statement, values);
    const isPrecheck = statement.name === 'find-books-in-question';
    return isPrecheck ? ([{ book_id: book.id }] as unknown as R[]) : rows;
  };
  const again = ['r-1.retry-2', `retry-${'0'.repeat(64)}`].map((reference) => {
    return { bookId: book.id, reference, replaces: null };
  });
  await findMayBePaid({ query }, again);
}

/** What the screens of a merchant read. */
async function runMerchantReads(listen: (name?: string) => Database, book: Book): Promise<void> {
  const now = new Date();
  for (const [name, text] of [
    ['search-number', RARE_PHONE],
    ['search-id', finishedId(1)],
    ['search-receipt', 'receipt-1'],
  ] as const) {
    await searchTransfers(listen(name), { book, text, now });
  }
  const sought = { phone: RARE_PHONE, amountMinor: 100n, reference: null, now };
  await findSimilar(listen('find-similar'), { book, sought });
  const about = { bookId: book.id, subjectId: finishedId(1), times: [now] };
  await readTransferDeliveries(listen('read-transfer-deliveries'), about);
  await listLooks(listen('list-looks'), { bookId: book.id, transferId: finishedId(1) });
  await readHeld(listen('read-held'), book.id);
  const page = { after: null, limit: 50 };
  await listWaiting(listen('list-waiting'), book, page);
  await findWaiting(listen('find-waiting'), book, [finishedId(1)]);
  const moves = { submit: async () => true };
  await expireWaiting({ database: listen('expire-waiting'), moves });
  const period = { from: now, to: new Date(now.getTime() + 600_000) };
  await readFigures(listen('read-figures'), { bookId: book.id, periods: [period] });
}

async function recordDelivered(
  database: Database,
  { book, transfer, leaseOwner }: { book: Book; transfer: Transfer; leaseOwner: string },
): Promise<void> {
  const at = new Date();
  const delivery = {
    bookId: book.id,
    id: randomUUID(),
    endpointId: randomUUID(),
    subjectId: transfer.id,
    eventSeq: 1,
    attempts: 0,
    scheduleAttempts: 0,
    createdAt: at,
    endpoint: undefined,
  };
  const outcome = { kind: 'answered', status: 200, answer: '' } as const;
  await recordAttempts({ database, leaseOwner, now: () => at, timeScale: 1 }, [
    { delivery, at, elapsedMs: 1, outcome, retryInMs: null },
  ]);
}

async function runReads(listen: (name?: string) => Database, book: Book): Promise<void> {
  const id = finishedId(1);
  const key = { bookId: book.id, subjectId: id, seq: 1 };
  await findTransfer(listen(), { bookId: book.id, mode: 'test', id });
  await findTransferByReference(listen(), { bookId: book.id, mode: 'test', reference: 'r-1' });
  await readHistory(listen(), { bookId: book.id, id });
  const list = { book, filter: NO_FILTER, page: { limit: 50, before: null } };
  await listTransfers(listen('list-transfers'), list);
  const page = { limit: 50, before: finishedId(FINISHED_BEFORE / 2) };
  await listTransfers(listen('list-transfers-from-the-middle'), { ...list, page });
  const one = { ...NO_FILTER, references: ['r-1'] };
  await listTransfers(listen('list-transfers-of-a-reference'), { ...list, filter: one });
  const many = { ...NO_FILTER, references: Array.from({ length: 20 }, (_, n) => `r-${n}`) };
  await listTransfers(listen('list-transfers-of-many-references'), { ...list, filter: many });
  const paidTo = { ...NO_FILTER, phone: RARE_PHONE };
  await listTransfers(listen('list-transfers-of-a-number'), { ...list, filter: paidTo });
  const inBatch = { ...NO_FILTER, metadata: { key: 'batch', value: '1' } };
  await listTransfers(listen('list-transfers-by-metadata'), { ...list, filter: inBatch });
  await listTransfers(listen('list-transfers-by-metadata-from-the-middle'), {
    ...list,
    filter: inBatch,
    page,
  });
  await runMerchantReads(listen, book);
  const walletId = WALLET_OF_FIRST_BOOK;
  const statement = { bookId: book.id, walletId, from: null, to: null, limit: 50 };
  await listPostings(listen('list-postings'), { ...statement, before: null });
  await listPostings(listen('list-postings-from-the-middle'), { ...statement, before: 1_000n });
  const feed = { bookId: book.id, type: null, limit: 50 };
  await listEvents(listen('list-events'), { ...feed, after: null });
  await listEvents(listen('list-events-from-the-end'), {
    ...feed,
    after: { batch: 999_999_999n, place: 1 },
  });
  await renderEvents(listen('read-events'), [key]);
  await countUnfinished(listen());
  await expireLeases(listen('expire-leases'));
  await reassignRemovedRoutes(listen('count-stranded'), { routes: ['sandbox'], replacements: [] });
  const event = { ...key, type: 'transfer.created', toState: 'queued', cause: '' } as const;
  await showTransfers(listen(), [{ ...event, createdAt: new Date(), mode: 'test' }]);
}

const PAID: NextStep = {
  to: 'succeeded',
  cause: 'test',
  failure: null,
  operatorTransactionId: 'test',
  nextActionInMs: null,
  checks: 0,
  notFoundAnswers: 0,
  needsPerson: false,
};
