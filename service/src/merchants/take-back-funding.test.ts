import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { addTestAdministrators, newTestId } from '../../test/stored-doubt.ts';
import { storeTestTransfer } from '../../test/stored-transfer.ts';
import { readActs, TEST_ACTOR } from '../../test/test-actor.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { cellsOf, createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { addAdministrator } from '../administrators/add-administrator.ts';
import { removeAdministrator } from '../administrators/remove-administrator.ts';
import type { PersonActor } from '../domain/actor.ts';
import { listPostings } from '../ledger/list-postings.ts';
import { verifyLedger } from '../ledger/verify-ledger.ts';
import { findWalletForStaff } from './find-wallet-for-staff.ts';
import { fundByReference } from './fund-by-reference.ts';
import { setLowBalance } from './set-low-balance.ts';
import { keepFunding, takeBackFunding } from './take-back-funding.ts';

const DAY_MS = 24 * 3_600_000;
const FUNDED_MINOR = 10_000n;

let test: TestDatabase;
let people: Readonly<Record<'Chanda' | 'Mutinta' | 'Leaver', PersonActor>>;
let nowMs: number;
before(async () => {
  test = await createTestDatabase();
  people = await addTestAdministrators(test.database, ['Chanda', 'Mutinta', 'Leaver']);
  nowMs = Date.now();
});
after(() => test.drop());

const deps = () => ({
  database: test.database,
  directory: test.directory,
  cells: test.cells,
  now: () => new Date(nowMs),
  newId: newTestId,
  logger: { warn: () => undefined },
});

/** A wallet that was funded with 50.00 rightly and with 100.00 under `wrong`. */
async function openWallet() {
  const book = await createTestBook(test.database);
  const walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 5_000n });
  const funding = { walletId, amountMinor: FUNDED_MINOR, fundingReference: 'wrong' };
  await fundByReference(deps(), { actor: TEST_ACTOR, ...funding });
  return { book, walletId };
}

const say = (who: keyof typeof people, walletId: string, fundingReference = 'wrong') =>
  takeBackFunding(deps(), {
    actor: people[who],
    walletId,
    fundingReference,
    reason: `bank list, says ${who}`,
  });

const available = async (walletId: string) =>
  (await findWalletForStaff(test.database, walletId)).availableMinor;

describe('a funding that was booked wrongly', () => {
  it('is taken back by two people, by a contra posting; both are recorded, and the ledger is right', async () => {
    const { book, walletId } = await openWallet();
    assert.equal((await say('Chanda', walletId)).kind, 'proposed');
    assert.equal(await available(walletId), 15_000n);
    await assert.rejects(say('Chanda', walletId), { code: 'TAKE_BACK_IS_OWN' });
    const done = await say('Mutinta', walletId);
    assert.ok(done.kind === 'carriedOut');
    assert.deepEqual([done.proposedBy, done.wallet.availableMinor], ['Chanda', 5_000n]);
    const page = { walletId, bookId: book.id, from: null, to: null, limit: 10, before: null };
    const { items } = await listPostings(test.database, page);
    assert.deepEqual(
      items.slice(0, 2).map((p) => [p.sequence, p.kind, p.fromAccount, p.toAccount, p.reference]),
      [
        [done.returnedSequence, 'fund_return', 'available', 'funding', 'wrong'],
        [done.funding.sequence, 'fund', 'funding', 'available', 'wrong'],
      ],
    );
    const acts = await readActs(test, { merchantId: book.merchantId });
    assert.deepEqual(
      acts.map(({ actor, kind, before, after }) => [
        actor.name,
        kind,
        before?.available,
        after?.available,
      ]),
      [
        ['Mutinta', 'TAKE_BACK_CONFIRMED', '150.00', '50.00'],
        ['Chanda', 'TAKE_BACK_PROPOSED', '150.00', '150.00'],
        ['tester@test.example', 'WALLET_FUNDED', '50.00', '150.00'],
      ],
    );
    assert.equal((await verifyLedger(test.database)).ok, true);
  });

  it('is taken back once', async () => {
    const { walletId } = await openWallet();
    await say('Chanda', walletId);
    await say('Mutinta', walletId);
    for (const who of ['Chanda', 'Mutinta'] as const) {
      await assert.rejects(say(who, walletId), { code: 'FUNDING_TAKEN_BACK' });
    }
    // Nor by the same two at the same moment.
    const other = await openWallet();
    await say('Chanda', other.walletId);
    const said = await Promise.allSettled([1, 2, 3, 4].map(() => say('Mutinta', other.walletId)));
    assert.equal(said.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.equal(await available(other.walletId), 5_000n);
    await assert.rejects(say('Chanda', walletId, 'unknown'), { code: 'FUNDING_NOT_FOUND' });
  });

  it('is not booked again under its reference, and says when it was taken back', async () => {
    const { walletId } = await openWallet();
    const again = { walletId, amountMinor: FUNDED_MINOR, fundingReference: 'wrong' };
    const fund = () => fundByReference(deps(), { actor: TEST_ACTOR, ...again });
    await say('Chanda', walletId);
    assert.equal((await fund()).already, true);
    const done = await say('Mutinta', walletId);
    assert.ok(done.kind === 'carriedOut');
    await assert.rejects(fund(), {
      code: 'FUNDING_REFERENCE_TAKEN_BACK',
      facts: { sequence: done.returnedSequence, at: new Date(nowMs) },
    });
    assert.equal(await available(walletId), 5_000n);
  });

  it('stays when the money is no longer available, and says what is', async () => {
    const { book, walletId } = await openWallet();
    await say('Chanda', walletId);
    const order = { book, walletId, amountMinor: 6_000n, leaseOwner: randomUUID() };
    await storeTestTransfer(test.database, order);
    await assert.rejects(say('Mutinta', walletId), {
      code: 'FUNDING_SPENT',
      facts: {
        amountMinor: FUNDED_MINOR,
        availableMinor: 9_000n,
        heldMinor: 6_000n,
        currency: 'ZMW',
      },
    });
    assert.equal(await available(walletId), 9_000n);
  });

  it('tells the merchant when the wallet falls below its mark by it', async () => {
    const { walletId } = await openWallet();
    const mark = { actor: TEST_ACTOR, id: walletId, lowBalanceMinor: 6_000n };
    await setLowBalance(deps(), mark);
    await say('Chanda', walletId);
    await say('Mutinta', walletId);
    const text = `select count(*)::integer as told from events
                  where subject_id = $1 and type = 'wallet.low_balance'`;
    const [row] = await test.database.query<{ told: number }>({ name: '', text }, [walletId]);
    assert.equal(row?.told, 1);
  });
});

describe('a proposal to take it back', () => {
  it('can be withdrawn by any administrator, and ends with its proposer or after a day', async () => {
    const { walletId } = await openWallet();
    const about = { actor: people.Mutinta, walletId, fundingReference: 'wrong' };
    await assert.rejects(keepFunding(deps(), about), { code: 'TAKE_BACK_NOT_PROPOSED' });
    await say('Chanda', walletId);
    assert.equal((await keepFunding(deps(), about)).proposedBy, 'Chanda');
    assert.equal((await say('Leaver', walletId)).kind, 'proposed');
    await removeAdministrator(deps(), { actor: people.Chanda, name: 'Leaver' });
    assert.equal((await say('Chanda', walletId)).kind, 'proposed');
    nowMs += DAY_MS;
    assert.equal((await say('Mutinta', walletId)).kind, 'proposed');
    assert.equal(await available(walletId), 15_000n);
  });

  it('does not count by a role that its proposer got after it; that it ends is recorded', async () => {
    const { walletId } = await openWallet();
    nowMs = Date.now();
    const name = 'Returner';
    const add = () => addAdministrator({ ...deps(), randomBytes }, { actor: people.Chanda, name });
    const actor: PersonActor = { kind: 'person', id: (await add()).id, name };
    nowMs = Date.now();
    const request = { walletId, fundingReference: 'wrong', reason: 'bank list' };
    await takeBackFunding(deps(), { ...request, actor });
    const silent = { ...deps(), cells: cellsOf({}) };
    await removeAdministrator(silent, { actor: people.Chanda, name });
    await add();
    assert.equal((await say('Mutinta', walletId)).kind, 'proposed');
    assert.equal(await available(walletId), 15_000n);
    const [act] = await readActs(test, { kind: 'TAKE_BACK_WITHDRAWN', subject: walletId });
    assert.deepEqual([act?.actor.name, act?.before?.['proposedBy']], ['Mutinta', name]);
    assert.equal((await say('Chanda', walletId)).kind, 'carriedOut');
  });

  it('is kept as it was made, and needs two people in the database too', async () => {
    const { walletId } = await openWallet();
    await say('Chanda', walletId);
    const run = (text: string) => test.database.query({ name: '', text }, [walletId]);
    await assert.rejects(
      run(`update take_backs set reason = 'other' where wallet_id = $1`),
      /only end/,
    );
    await assert.rejects(run('delete from take_backs where wallet_id = $1'), /append-only/);
    const alone = `
      update take_backs
      set ended_at = now(), ended_as = 'carried_out', ended_by = proposed_by, second_reason = 'me',
          returned_seq = funded_seq + 1
      where wallet_id = $1`;
    await assert.rejects(run(alone), /take_backs_two_persons/);
  });
});
