import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, afterEach, before, beforeEach } from 'node:test';
import { decideTransfer } from '../src/approvals/transfers/decide-transfer.ts';
import type { Book } from '../src/domain/book.ts';
import type { ApprovalRequirement } from '../src/domain/policy/assign-approvals.ts';
import type { Mode, Transfer } from '../src/domain/transfer.ts';
import { createDueWorkFinder } from '../src/due-work/due-work-finder.ts';
import type { Queryable } from '../src/postgres/database.ts';
import { addScreener } from '../src/screening/add-screener.ts';
import { claimScreenings, FIRST_SCREENER } from '../src/screening/claim-screenings.ts';
import { readScreenings } from '../src/screening/read-screenings.ts';
import { createScreeningSender } from '../src/screening-sender/screening-sender.ts';
import { findTransfer } from '../src/transfers/read/find-transfer.ts';
import { createSafePoster } from '../src/webhooks/safe-post/post-safely.ts';
import { scriptRoute } from './fake-route.ts';
import { pollUntil } from './poll.ts';
import { queueScreenings } from './queue-screenings.ts';
import { storeAwaiting } from './stored-awaiting.ts';
import { createTestSealer } from './stored-delivery.ts';
import { createTestBook, createTestWallet } from './test-book.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { storePerson, type TestPerson } from './test-person.ts';
import { type Behaviour, startWebhookReceiver } from './webhook-receiver.ts';

/** The deadline of screeners that never answer. The others have more time, because a busy machine is slow. */
const SHORT_DEADLINE_MS = 300;
const LONG_DEADLINE_MS = 10_000;
const sealer = createTestSealer();
const monotonicMs = () => performance.now();
const now = () => new Date();
export const { routes } = scriptRoute({ name: 'of-today' });

export const says = (answer: object, status = 200): Behaviour => ({
  status,
  body: JSON.stringify(answer),
});
export const ALLOW = says({ decision: 'allow' });

/** A database for screenings. Each test has a new book with a funded wallet, an owner and an approver. */
export function openScreeningWorld() {
  let test: TestDatabase;
  let book: Book;
  let walletId: string;
  let owner: TestPerson;
  let approver: TestPerson;
  const open: { stop(): Promise<void> }[] = [];

  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.drop());
  async function openBook(mode: Mode = 'test'): Promise<void> {
    book = await createTestBook(test.database, { mode });
    walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 100_000n });
    owner = await personWith('owner');
    approver = await personWith('approver');
  }
  beforeEach(() => openBook());
  afterEach(async () => {
    for (const opened of open.splice(0).toReversed()) await opened.stop();
    // What a test leaves open is not for the sender of the next one.
    const text = 'update screenings set next_attempt_at = null where next_attempt_at is not null';
    await test.database.query({ name: '', text });
  });

  const personWith = (role: 'owner' | 'approver') =>
    storePerson(test.database, { roles: [{ merchantId: book.merchantId, role }] });
  const actorOf = ({ id, name }: TestPerson) =>
    ({ kind: 'person', id, name, merchantId: book.merchantId }) as const;
  const deps = () => ({
    database: test.database,
    directory: test.directory,
    sealer,
    now,
    newId: randomUUID,
    randomBytes: (size: number) => randomBytes(size),
  });

  function startSender(options: Readonly<{ drainMs?: number; directory?: Queryable }> = {}) {
    const leaseOwner = randomUUID();
    const results: string[] = [];
    const sender = createScreeningSender({
      database: test.database,
      directory: test.directory,
      routes,
      poster: createSafePoster({
        resolve: async () => ['127.0.0.1'],
        isOwn: () => false,
        now,
        monotonicMs,
      }),
      sealer,
      toLoopback: ['test'],
      now,
      monotonicMs,
      leaseOwner,
      observe: ({ result }) => results.push(result),
      logger: { warn: (...line: unknown[]) => assert.fail(JSON.stringify(line)) },
      ...options,
    });
    const { database } = test;
    const logger = { warn: () => undefined };
    const finder = createDueWorkFinder({ database, loops: { screenings: sender }, logger });
    sender.start();
    finder.start();
    open.push(sender, finder);
    return { sender, results, leaseOwner };
  }

  async function startScreener(
    script: Behaviour | ((body: { rule: string }) => Behaviour),
    {
      name = 'payouts',
      company = false,
      deadlineMs,
      of = book,
    }: Partial<{ name: string; company: boolean; deadlineMs: number; of: Book }> = {},
  ) {
    const isSilent = script === 'hang' || script === 'stall';
    const receiver = await startWebhookReceiver({
      script: ({ body }) => (typeof script === 'function' ? script(JSON.parse(body)) : script),
    });
    open.push({ stop: receiver.close });
    const added = await addScreener(deps(), {
      actor: company ? { kind: 'person', id: (await staff()).id, name: 'Staff' } : actorOf(owner),
      owner: company ? 'company' : { bookId: of.id, merchantId: of.merchantId },
      name,
      url: new URL(receiver.url('/screen?key=1')),
      deadlineMs: deadlineMs ?? (isSilent ? SHORT_DEADLINE_MS : LONG_DEADLINE_MS),
    });
    return { receiver, ...added };
  }

  const staff = () => storePerson(test.database, { staffRoles: ['admin'] });

  async function ask(
    options: Readonly<{
      needed?: readonly ApprovalRequirement[];
      rules?: readonly string[];
      screener?: string;
      sendAt?: Date;
    }> = {},
  ) {
    const { needed = [], rules = ['night'], screener = 'payouts', sendAt } = options;
    const stored = await storeAwaiting(test.database, {
      book,
      walletId,
      needed,
      ...(sendAt === undefined ? {} : { sendAt }),
    });
    const { id: transferId } = stored.transfer;
    const questions = rules.map((rule) => ({ bookId: book.id, transferId, rule, screener }));
    await queueScreenings(test.database, questions);
    return stored;
  }

  async function read({ id, bookId, mode }: Transfer): Promise<Transfer> {
    const found = await findTransfer(test.database, { bookId, mode, id });
    assert.ok(found !== undefined);
    return found;
  }

  const screeningsOf = ({ id, bookId }: Transfer) =>
    readScreenings(test.database, { bookId, transferId: id });

  /** Waits for all answers, and returns them. */
  async function answered(transfer: Transfer) {
    await pollUntil('the answers', async () =>
      (await screeningsOf(transfer)).every(({ decision }) => decision !== null),
    );
    return screeningsOf(transfer);
  }

  function approve({ transfer, contentHash }: Awaited<ReturnType<typeof ask>>, person = approver) {
    return decideTransfer(
      { ...deps(), routes },
      {
        book,
        id: transfer.id,
        actor: actorOf(person),
        decision: 'approve',
        contentHash,
        reason: null,
      },
    );
  }

  async function claim({ max = 1, leaseOwner = randomUUID() } = {}) {
    const one = { leaseOwner, after: FIRST_SCREENER, max, perScreenerMax: max, taken: [] };
    return (await claimScreenings(test.database, one)).screenings;
  }

  return {
    get database() {
      return test.database;
    },
    get book() {
      return book;
    },
    get walletId() {
      return walletId;
    },
    get owner() {
      return owner;
    },
    get approver() {
      return approver;
    },
    open,
    openBook,
    claim,
    personWith,
    actorOf,
    deps,
    startSender,
    startScreener,
    ask,
    read,
    screeningsOf,
    answered,
    approve,
  };
}
