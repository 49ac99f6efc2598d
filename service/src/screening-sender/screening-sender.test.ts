import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { directMoves } from '../../test/direct-moves.ts';
import { scriptRoute } from '../../test/fake-route.ts';
import { pollUntil } from '../../test/poll.ts';
import { storeAwaiting } from '../../test/stored-awaiting.ts';
import { createTestSealer } from '../../test/stored-delivery.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { storePerson, type TestPerson } from '../../test/test-person.ts';
import { type Behaviour, startWebhookReceiver } from '../../test/webhook-receiver.ts';
import { decideTransfer } from '../approvals/transfers/decide-transfer.ts';
import { endWaiting } from '../approvals/transfers/leave-waiting.ts';
import { createDueWorkFinder } from '../dispatcher/due-work-finder.ts';
import type { Book } from '../domain/book.ts';
import type { ApprovalRequirement } from '../domain/policy/assign-approvals.ts';
import type { Transfer } from '../domain/transfer.ts';
import { verifyLedger } from '../ledger/verify-ledger.ts';
import { addEntry } from '../lists/add-entry.ts';
import { addScreener } from '../screening/add-screener.ts';
import {
  type ClaimedScreening,
  claimScreenings,
  expireScreeningLeases,
  FIRST_SCREENER,
} from '../screening/claim-screenings.ts';
import { queueScreenings } from '../screening/queue-screenings.ts';
import { readScreenings } from '../screening/read-screenings.ts';
import { recordAnswer } from '../screening/record-answer.ts';
import { removeScreener } from '../screening/remove-screener.ts';
import { findTransfer } from '../transfers/read/find-transfer.ts';
import { createSafePoster } from '../webhooks/safe-post/post-safely.ts';
import { createScreeningSender, UNDER_WAY_PER_SCREENER_MAX } from './screening-sender.ts';

/** The deadline of screeners that never answer. The others have more time, because a busy machine is slow. */
const SHORT_DEADLINE_MS = 300;
const LONG_DEADLINE_MS = 10_000;
const sealer = createTestSealer();
const monotonicMs = () => performance.now();
const now = () => new Date();
const { routes } = scriptRoute({ name: 'of-today' });

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
beforeEach(async () => {
  book = await createTestBook(test.database);
  walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 100_000n });
  owner = await personWith('owner');
  approver = await personWith('approver');
});
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
  sealer,
  now,
  newId: randomUUID,
  randomBytes: (size: number) => randomBytes(size),
});

function startSender(options: Readonly<{ drainMs?: number }> = {}) {
  const leaseOwner = randomUUID();
  const results: string[] = [];
  const sender = createScreeningSender({
    database: test.database,
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

const says = (answer: object, status = 200): Behaviour => ({
  status,
  body: JSON.stringify(answer),
});
const ALLOW = says({ decision: 'allow' });

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

describe('a transfer that a screener is asked about', () => {
  it('goes on when it is allowed; the question is signed, and the answer is kept', async () => {
    const { receiver, secret } = await startScreener(
      says({ decision: 'allow', reason: 'score 3' }),
    );
    const { transfer } = await ask();
    startSender();
    const [screening] = await answered(transfer);
    const queued = await read(transfer);
    assert.deepEqual([queued.state, queued.route], ['queued', 'of-today']);
    const [question, ...more] = receiver.journal;
    assert.ok(question !== undefined && more.length === 0);
    assert.equal(question.path, '/screen?key=1');
    const body = new Webhook(secret).verify(question.body, {
      'webhook-id': String(question.headers['webhook-id']),
      'webhook-timestamp': String(question.headers['webhook-timestamp']),
      'webhook-signature': String(question.headers['webhook-signature']),
    }) as { id: string; rule: string; transfer: { id: string; phone: string; state: string } };
    assert.deepEqual(
      [body.id, body.rule, body.transfer.id, body.transfer.phone, body.transfer.state],
      [question.headers['webhook-id'], 'night', transfer.id, transfer.phone, 'awaiting_approval'],
    );
    assert.deepEqual([screening?.decision, screening?.reason], ['allow', 'score 3']);
    const [attempt] = screening?.attempts ?? [];
    assert.deepEqual(
      [attempt?.status, attempt?.answer, attempt?.error],
      [200, '{"decision":"allow","reason":"score 3"}', null],
    );
  });

  it('waits for its time when that is to come', async () => {
    await startScreener(ALLOW);
    const { transfer } = await ask({ sendAt: new Date(Date.now() + 3_600_000) });
    startSender();
    await answered(transfer);
    assert.equal((await read(transfer)).state, 'scheduled');
  });

  it('is cancelled when it is refused, its hold released, and no other question is asked', async () => {
    const { receiver } = await startScreener(({ rule }) =>
      rule === 'a' ? says({ decision: 'refuse', reason: 'sanctioned' }) : 'hang',
    );
    const { transfer } = await ask({ rules: ['a', 'b'] });
    startSender();
    await pollUntil('the end', async () => (await read(transfer)).state === 'cancelled');
    assert.equal((await read(transfer)).failureCode, 'SCREENING_REFUSED');
    const [first, second] = await screeningsOf(transfer);
    assert.deepEqual([first?.decision, first?.reason], ['refuse', 'sanctioned']);
    const open = await claim({ max: 10 });
    assert.deepEqual([second?.decision, open.length], [null, 0]);
    assert.ok(receiver.journal.length <= 2);
    assert.deepEqual((await verifyLedger(test.database)).problems, []);
  });

  for (const [what, behaviour, reason] of [
    ['hangs', 'hang', /no answer within 0.3 s/],
    ['stops in the middle', 'stall', /did not arrive whole/],
    ['answers without an end', 'huge', /longer than 4096 bytes/],
    ['answers too much', says({ decision: 'allow', more: 'x'.repeat(5_000) }), /longer than 4096/],
    ['breaks the connection', 'reset', /reset/],
    ['speaks no HTTP', 'garbage', /not HTTP/],
    ['answers no JSON', { status: 200, body: 'allow' }, /not one JSON object/],
    [
      'answers twice',
      { status: 200, body: '{"decision":"allow"}{"decision":"allow"}' },
      /not one JSON/,
    ],
    ['answers wrong', says({ decision: 'yes' }), /no decision/],
    ['has an error', says({ decision: 'allow' }, 500), /status 500/],
    ['answers nothing', { status: 204 }, /status 204/],
    ['holds it', says({ decision: 'hold', reason: 'ask Mary' }), /^ask Mary$/],
  ] as const) {
    it(`waits for one person when the screener ${what}`, async () => {
      await startScreener(behaviour);
      const stored = await ask();
      startSender();
      const [screening] = await answered(stored.transfer);
      assert.equal(screening?.decision, 'hold');
      assert.match(screening.reason ?? '', reason);
      assert.equal((await read(stored.transfer)).state, 'awaiting_approval');
      await approve(stored);
      assert.equal((await read(stored.transfer)).state, 'queued');
    });
  }

  it('waits until every screener has allowed it', async () => {
    await startScreener(({ rule }) => (rule === 'a' ? ALLOW : 'hang'), { deadlineMs: 3_000 });
    const { transfer } = await ask({ rules: ['a', 'b'] });
    startSender();
    const both = await answered(transfer);
    assert.deepEqual(new Set(both.map(({ decision }) => decision)), new Set(['allow', 'hold']));
    assert.equal((await read(transfer)).state, 'awaiting_approval');
  });

  it('waits for a person when the screener redirects, and no one follows it', async () => {
    const target = await startWebhookReceiver({ script: () => ALLOW });
    open.push({ stop: target.close });
    await startScreener({ status: 307, headers: { location: target.url('/') } });
    const { transfer } = await ask();
    startSender();
    const [screening] = await answered(transfer);
    assert.deepEqual([screening?.decision, target.journal.length], ['hold', 0]);
  });

  it('waits for a person when the screener is gone or was never there', async () => {
    const { receiver, screener } = await startScreener(ALLOW);
    await receiver.shut();
    const { transfer: unreachable } = await ask();
    startSender();
    assert.match((await answered(unreachable))[0]?.reason ?? '', /refused/);
    const removal = { owner: { bookId: book.id, merchantId: book.merchantId }, id: screener.id };
    await removeScreener(deps(), { actor: actorOf(owner), ...removal });
    const { transfer: unknown } = await ask();
    assert.match((await answered(unknown))[0]?.reason ?? '', /no screener called "payouts"/);
  });

  it('is not sent to this machine from a live book', async () => {
    book = await createTestBook(test.database, { mode: 'live' });
    walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 100_000n });
    owner = await personWith('owner');
    const { receiver } = await startScreener(ALLOW);
    const { transfer } = await ask();
    startSender();
    assert.match((await answered(transfer))[0]?.reason ?? '', /URL may not be used/);
    assert.equal(receiver.journal.length, 0);
  });

  it("asks the company's screener where the book has none of that name", async () => {
    const company = await startScreener(says({ decision: 'hold', reason: 'company' }), {
      name: 'sanctions',
      company: true,
    });
    const { transfer } = await ask({ screener: 'sanctions' });
    startSender();
    assert.equal((await answered(transfer))[0]?.reason, 'company');
    await startScreener(says({ decision: 'hold', reason: 'own' }), { name: 'sanctions' });
    const { transfer: next } = await ask({ screener: 'sanctions' });
    assert.equal((await answered(next))[0]?.reason, 'own');
    assert.equal(company.receiver.journal.length, 1);
  });
});

describe('a screening and the approvals of people', () => {
  const needed: readonly ApprovalRequirement[] = [{ rule: 'big', count: 1, of: ['approver'] }];

  it('both are needed, whichever comes first', async () => {
    const screener = { answers: false };
    await startScreener(() => (screener.answers ? ALLOW : 'hang'));
    const early = await ask({ needed });
    await approve(early);
    assert.equal((await read(early.transfer)).state, 'awaiting_approval');
    screener.answers = true;
    const late = await ask({ needed });
    startSender();
    await answered(early.transfer);
    assert.equal((await read(early.transfer)).state, 'queued');
    await answered(late.transfer);
    assert.equal((await read(late.transfer)).state, 'awaiting_approval');
    await approve(late);
    assert.equal((await read(late.transfer)).state, 'queued');
  });

  it('a screener that holds asks for one person more', async () => {
    await startScreener(says({ decision: 'hold' }));
    const stored = await ask({ needed });
    startSender();
    await answered(stored.transfer);
    await approve(stored);
    assert.equal((await read(stored.transfer)).state, 'awaiting_approval');
    await approve(stored, owner);
    assert.equal((await read(stored.transfer)).state, 'queued');
  });

  it('an answer at the same moment as the last approval lets it go once', async () => {
    await startScreener(ALLOW);
    const all = await Promise.all(Array.from({ length: 8 }, () => ask({ needed })));
    startSender();
    await Promise.all(all.map((stored) => approve(stored)));
    for (const { transfer } of all) {
      await answered(transfer);
      await pollUntil('it goes on', async () => (await read(transfer)).state === 'queued');
    }
  });

  it('does not ask about what was cancelled meanwhile', async () => {
    const { receiver } = await startScreener(ALLOW);
    const { transfer } = await ask();
    await directMoves(test.database).submit(
      endWaiting(transfer, { as: 'APPROVAL_RECALLED', actor: 'system:test' }),
    );
    startSender();
    await pollUntil('it is dropped', async () => (await openQuestions()) === 0);
    assert.equal(receiver.journal.length, 0);
  });

  it('holds what is allowed when the number was denied meanwhile', async () => {
    await startScreener(ALLOW);
    const { transfer } = await ask();
    await addEntry(deps(), {
      actor: actorOf(owner),
      owner: { bookId: book.id, merchantId: book.merchantId },
      list: 'deny',
      phone: transfer.phone,
      reason: 'stolen',
      expiresAt: null,
    });
    startSender();
    const [screening] = await answered(transfer);
    assert.match(screening?.reason ?? '', /deny list/);
    assert.equal((await read(transfer)).state, 'awaiting_approval');
  });
});

async function openQuestions(): Promise<number> {
  const text = 'select 1 from screenings where book_id = $1 and next_attempt_at is not null';
  return (await test.database.query({ name: '', text }, [book.id])).length;
}

async function claim({ max = 1, leaseOwner = randomUUID() } = {}) {
  const one = { leaseOwner, after: FIRST_SCREENER, max, perScreenerMax: max, taken: [] };
  const { screenings } = await claimScreenings(test.database, one);
  return screenings;
}

describe('several processes', () => {
  it('ask each question once and come to one outcome', async () => {
    const { receiver } = await startScreener(ALLOW);
    const all = await Promise.all(Array.from({ length: 20 }, () => ask({ rules: ['a', 'b'] })));
    startSender();
    startSender();
    for (const { transfer } of all) {
      await answered(transfer);
      await pollUntil('it goes on', async () => (await read(transfer)).state === 'queued');
    }
    assert.equal(receiver.journal.length, 40);
    assert.equal(new Set(receiver.journal.map(({ headers }) => headers['webhook-id'])).size, 40);
  });

  it('ask again what a process died with, under the same id, and its late answer counts for nothing', async () => {
    const { receiver } = await startScreener(says({ decision: 'refuse' }));
    const { transfer } = await ask();
    const died = randomUUID();
    const [claimed] = await claim({ leaseOwner: died });
    assert.ok(claimed !== undefined);
    await expireScreeningLeases(test.database);
    startSender();
    await answered(transfer);
    assert.equal((await read(transfer)).state, 'cancelled');
    const late = await recordAnswer(
      { database: test.database, routes, leaseOwner: died, now },
      allowed(claimed),
    );
    assert.equal(late, 'leaseLost');
    assert.equal((await screeningsOf(transfer))[0]?.decision, 'refuse');
    assert.equal((await screeningsOf(transfer))[0]?.attempts.length, 1);
    assert.equal(receiver.journal.length, 1);
  });

  it('give up after three that died, and a person decides', async () => {
    const { receiver } = await startScreener(ALLOW);
    const { transfer } = await ask();
    for (let n = 0; n < 3; n += 1) {
      assert.equal((await claim()).length, 1);
      await expireScreeningLeases(test.database);
    }
    startSender();
    assert.match((await answered(transfer))[0]?.reason ?? '', /asked 3 times/);
    assert.equal(receiver.journal.length, 0);
  });

  it('stop without holding what is under way: the next one asks', async () => {
    const screener = { answers: false };
    const { receiver } = await startScreener(() => (screener.answers ? ALLOW : 'hang'));
    const { transfer } = await ask();
    const { sender } = startSender({ drainMs: 0 });
    await pollUntil('it is asked', () => receiver.journal.length === 1);
    await sender.stop();
    assert.equal((await screeningsOf(transfer))[0]?.decision, null);
    screener.answers = true;
    startSender();
    assert.equal((await answered(transfer))[0]?.decision, 'allow');
  });

  it('answer for other screeners while one hangs with a long queue', async () => {
    const slow = await startScreener('hang', { name: 'slow' });
    const quick = await startScreener(ALLOW, { name: 'quick' });
    await Promise.all(Array.from({ length: 30 }, () => ask({ screener: 'slow' })));
    const { transfer } = await ask({ screener: 'quick' });
    startSender();
    await answered(transfer);
    const [asked] = quick.receiver.journal;
    const before = slow.receiver.journal.filter(({ atMs }) => atMs < (asked?.atMs ?? 0));
    assert.ok(before.length <= 2 * UNDER_WAY_PER_SCREENER_MAX, String(before.length));
  });
});

function allowed(claimed: ClaimedScreening) {
  const answer = { kind: 'answered', status: 200, answer: '{"decision":"allow"}' } as const;
  return {
    claimed,
    at: now(),
    elapsedMs: 5,
    answer,
    result: { decision: 'allow', reason: null },
  } as const;
}
