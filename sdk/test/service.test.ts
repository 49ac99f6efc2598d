import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { pollUntil } from '../../service/test/poll.ts';
import { type RunningService, startService } from '../../service/test/running-service.ts';
import { storeAwaiting } from '../../service/test/stored-awaiting.ts';
import { createTestDatabase, type TestDatabase } from '../../service/test/test-database.ts';
import { bookOf, createTestMerchant, type TestMerchant } from '../../service/test/test-merchant.ts';
import { storePerson } from '../../service/test/test-person.ts';
import { Kafue, type TransferInput } from '../src/index.ts';
import { errorOf } from './test-client.ts';

let test: TestDatabase;
let service: RunningService;
let merchant: TestMerchant;
let kafue: Kafue;
before(async () => {
  test = await createTestDatabase();
  service = await startService({ databaseUrl: test.connectionString });
  merchant = await createTestMerchant(test.database);
  kafue = new Kafue({ apiKey: merchant.keys.test, baseUrl: service.baseUrl });
});
after(async () => {
  await service.end();
  await test.drop();
});

function order(changes: Partial<TransferInput> = {}): TransferInput {
  return {
    amount: 25.5,
    reference: `ref-${randomUUID()}`,
    phone: '0977433571',
    operator: 'airtel',
    country: 'zm',
    walletId: merchant.wallets.test.ZMW,
    ...changes,
  };
}

describe('transfers of the running service', () => {
  it('are paid, and can be found by id, reference, list and history', async () => {
    const body = order({ narration: 'November', recipientName: "Bridget O'Brien" });
    const transfer = await kafue.transfers.create(body);
    assert.equal(transfer.status, 'pending');
    assert.deepEqual(
      [transfer.amount, transfer.phone, transfer.narration, transfer.recipientName],
      [25.5, '+260977433571', 'November', "Bridget O'Brien"],
    );
    await pollUntil('it is paid', async () => {
      return (await kafue.transfers.get(transfer.id)).status === 'successful';
    });
    const paid = await kafue.transfers.getByReference(body.reference);
    assert.ok(paid.status === 'successful' && paid.id === transfer.id);
    const { items } = await kafue.transfers.list({ reference: body.reference }).page();
    assert.deepEqual(items, [paid]);
    const history = await kafue.transfers.history(transfer.id);
    assert.equal(history.at(-1)?.state, 'succeeded');
  });

  it('are made once for one key, and a duplicate shows the transfer that is there', async () => {
    const body = order();
    const idempotencyKey = randomUUID();
    const first = await kafue.transfers.create(body, { idempotencyKey });
    const again = await kafue.transfers.create(body, { idempotencyKey });
    assert.equal(again.id, first.id);
    const error = await errorOf(kafue.transfers.create(body));
    assert.deepEqual([error.code, error.status], ['DUPLICATE_REFERENCE', 409]);
    assert.deepEqual([error.data.transfer?.id, error.data.samePayload], [first.id, true]);
  });

  it('can have references of dots alone', async () => {
    for (const reference of ['.', '..', '...']) {
      const { id } = await kafue.transfers.create(order({ reference }));
      assert.equal((await kafue.transfers.getByReference(reference)).id, id);
    }
  });

  it('are refused with every broken field', async () => {
    const error = await errorOf(kafue.transfers.create(order({ amount: 0.1 + 0.2, phone: 'x' })));
    assert.deepEqual([error.code, error.status, error.retryable], ['VALIDATION_ERROR', 400, false]);
    assert.deepEqual(error.fields.map(({ field, code }) => `${field} ${code}`).sort(), [
      'amount INVALID_AMOUNT',
      'phone INVALID_PHONE',
    ]);
    assert.match(error.requestId ?? '', /./);
    const unknown = await errorOf(kafue.transfers.get(randomUUID()));
    assert.equal(unknown.code, 'TRANSFER_NOT_FOUND');
  });

  it('are cancelled while they wait, and not later', async () => {
    const waiting = await kafue.transfers.create(order({ phone: '0977433941' }));
    await pollUntil('it waits for the operator', async () => {
      return (await kafue.transfers.get(waiting.id)).state === 'queued';
    });
    const cancelled = await kafue.transfers.cancel(waiting.id);
    assert.equal(cancelled.failure.code, 'CANCELLED');
    assert.equal((await errorOf(kafue.transfers.cancel(waiting.id))).code, 'INVALID_STATE');
  });

  it('go by the hundred in one call, and come back page by page', async () => {
    const wallet = await merchant.createWallet({ fundedMinor: 10_000n });
    const orders = Array.from({ length: 120 }, () => order({ amount: 1, walletId: wallet }));
    const { results, accepted, refused } = await kafue.transfers.bulk(orders);
    assert.deepEqual([results.length, accepted, refused], [120, 100, 20]);
    const last = results.at(-1);
    assert.ok(last?.status === false && last.data.error.code === 'INSUFFICIENT_BALANCE');
    const seen: string[] = [];
    for await (const { reference } of kafue.transfers.list({ walletId: wallet, limit: 30 })) {
      seen.push(reference);
    }
    const expected = orders.slice(0, 100).map(({ reference }) => reference);
    assert.deepEqual(seen.sort(), expected.sort());
  });
});

describe('everything else of the running service', () => {
  const account = { phone: '0977423571', operator: 'mtn', country: 'zm' } as const;

  it('has recipients with the names that operators give', async () => {
    const recipient = await kafue.recipients.create({ ...account, accountName: 'Joseph Mwansa' });
    assert.ok(recipient.resolution === 'resolved' && recipient.nameMatch === 'match');
    assert.deepEqual(await kafue.recipients.get(recipient.id), recipient);
    const { items } = await kafue.recipients.list({ phone: '+260 97 742-3571' }).page();
    assert.deepEqual(items, [recipient]);
    assert.equal((await kafue.accounts.resolve(account)).accountName, recipient.accountName);
  });

  it('has wallets with a statement, as objects and as CSV', async () => {
    const id = await merchant.createWallet({ currency: 'NGN', fundedMinor: 50_000n });
    assert.deepEqual(await kafue.wallets.get(id), {
      id,
      currency: 'NGN',
      available: '500.00',
      held: '0.00',
      status: 'active',
    });
    const ids: string[] = [];
    for await (const wallet of kafue.wallets.list({ limit: 1 })) ids.push(wallet.id);
    assert.ok(ids.length >= 3 && ids.includes(id));
    const kinds: string[] = [];
    for await (const { kind, amount } of kafue.wallets.postings(id))
      kinds.push(`${kind} ${amount}`);
    assert.deepEqual(kinds, ['fund 500.00']);
    let csv = '';
    for await (const piece of kafue.wallets.statementCsv(id)) csv += piece;
    assert.match(csv, /^sequence,kind,.*\r\n1,fund,500\.00,.*\r\n$/);
  });

  it('ends a list of all events although others keep coming, and misses none of them', async () => {
    const seen: string[] = [];
    const readOn = async (cursor: string | undefined) => {
      let next = cursor;
      let pages = 0;
      for await (const { items, nextCursor } of kafue.events.list({ cursor }).pages()) {
        seen.push(...items.map(({ id }) => id));
        next = nextCursor ?? undefined;
        pages += 1;
        assert.ok(pages <= 50, 'it goes on and on');
        await kafue.transfers.create(order());
      }
      return next;
    };
    await readOn(await readOn(await readOn(undefined)));
    const all: string[] = [];
    for await (const { id } of kafue.events.list()) all.push(id);
    assert.deepEqual(seen, all.slice(0, seen.length));
  });

  it('ends a list of events of a rare type, although others keep coming', async () => {
    await kafue.transfers.create(order());
    const { nextCursor } = await kafue.events.list({ limit: 1 }).page();
    assert.ok(nextCursor);
    const filter = { type: 'transfer.reversed', cursor: nextCursor } as const;
    let pages = 0;
    for await (const { items } of kafue.events.list(filter).pages()) {
      assert.deepEqual(items, []);
      pages += 1;
      assert.ok(pages <= 5, 'it goes on and on');
      await kafue.transfers.create(order());
    }
  });

  it('has the operators of the book', async () => {
    const routes = await kafue.operators.list();
    assert.equal(routes.length, 8);
    assert.ok(routes.every(({ available }) => available));
  });

  it('has the policy of the book', async () => {
    const policy = await kafue.policy.get();
    assert.deepEqual([policy.version, policy.draft, policy.history], [null, null, []]);
  });

  it('tells a wrong key from everything else', async () => {
    const stranger = new Kafue({ apiKey: 'sk_test_wrong', baseUrl: service.baseUrl });
    const error = await errorOf(stranger.operators.list());
    assert.deepEqual([error.code, error.status, error.attempts], ['UNAUTHORIZED', 401, 1]);
  });
});

describe('approvals in the running service', () => {
  it('are listed and given by a person, whose session takes the place of a key', async () => {
    const roles = [{ merchantId: merchant.id, role: 'approver' as const }];
    const { headers, id: personId } = await storePerson(test.database, { roles });
    const bookId = merchant.books.test;
    const session = { cookie: headers.cookie, bookId };
    const person = new Kafue({ session, baseUrl: service.baseUrl });
    const book = bookOf(merchant);
    const walletId = merchant.wallets.test.ZMW;
    const stored = [1, 2, 3].map(() => storeAwaiting(test.database, { book, walletId }));
    const ids = (await Promise.all(stored)).map(({ transfer }) => transfer.id).sort();
    const { items } = await person.approvals.list({ view: 'mine' }).page();
    assert.deepEqual(
      items.map(({ id }) => id),
      ids,
    );
    const [first, second, third] = items;
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    assert.equal((await person.approvals.approve(first)).state, 'queued');
    const rejected = await person.approvals.reject({ ...second, reason: 'Twice' });
    assert.equal(rejected.approval?.decisions[0]?.person.id ?? personId, personId);
    assert.equal(rejected.status, 'cancelled');
    const { kind, id, contentHash } = third;
    const results = await person.approvals.decide([
      { kind, id, contentHash, decision: 'approve' },
      { kind, id: first.id, contentHash, decision: 'approve' },
    ]);
    assert.deepEqual(
      results.map(({ ok, code }) => [ok, code]),
      [
        [true, undefined],
        [false, 'ALREADY_DECIDED'],
      ],
    );
    const byKey = await errorOf(kafue.approvals.approve(third));
    assert.equal(byKey.code, 'FORBIDDEN');
    const recalled = await errorOf(person.approvals.recall(third.id));
    assert.ok(['FORBIDDEN', 'ALREADY_DECIDED'].includes(recalled.code));
  });

  it('are not ended by a cancel: what a key ordered is recalled, also by a key', async () => {
    const book = bookOf(merchant);
    const walletId = merchant.wallets.test.ZMW;
    const { id } = (await storeAwaiting(test.database, { book, walletId })).transfer;
    assert.equal((await errorOf(kafue.transfers.cancel(id))).code, 'INVALID_STATE');
    const { state, failure } = await kafue.approvals.recall(id);
    assert.deepEqual([state, failure?.code], ['cancelled', 'APPROVAL_RECALLED']);
  });
});
