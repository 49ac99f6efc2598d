import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { addTestAdministrators, newTestId, storeDoubt } from '../../test/stored-doubt.ts';
import { prepareTransfer } from '../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { createControlSnapshots } from '../controls/control-snapshots.ts';
import type { Transfer } from '../domain/transfer.ts';
import { resolveByPeople } from '../resolutions/resolve-by-people.ts';
import { commitTransfers } from '../transfers/accept/commit-transfers.ts';
import { type NewCallback, storeCallbacks } from '../transfers/callbacks/store-callbacks.ts';
import { openIncident } from '../transfers/move/open-incident.ts';
import { readTransferPostings } from '../transfers/read/read-transfer-postings.ts';
import { readTimeline } from './read-timeline.ts';
import { showTimelineToStaff } from './staff-entries.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

const read = ({ id }: Readonly<{ id: string }>) =>
  readTimeline(test.database, { id, now: new Date(), directory: test.directory });

const call = (transfer: Transfer, body: string, given: Partial<NewCallback> = {}) =>
  storeCallbacks(test.database, [
    {
      id: randomUUID(),
      route: transfer.route,
      method: 'PUT',
      headers: {},
      body: Buffer.from(body),
      reading: 'read',
      cause: null,
      operatorReference: transfer.operatorReference,
      claims: 'paid',
      verified: false,
      reported: null,
      receivedAt: new Date(),
      ...given,
    },
  ]);

describe('the timeline of a transfer', () => {
  it('has everything that happened to it, in the order of time, and nothing of others', async () => {
    const people = await addTestAdministrators(test.database, ['Chanda', 'Mutinta']);
    const doubt = await storeDoubt(test.database);
    const other = await storeDoubt(test.database);
    await call(other, 'other');
    await call(doubt, 'mine');
    const { database, directory } = test;
    const deps = { database, directory, now: () => new Date(), newId: newTestId };
    const resolution = { decision: 'paid', receipt: 'R', evidence: 'E' } as const;
    await resolveByPeople(deps, { actor: people.Chanda, id: doubt.id, resolution });
    const before = await read({ id: doubt.id });
    assert.equal(before.openProposal?.proposedBy.name, 'Chanda');
    await resolveByPeople(deps, { actor: people.Mutinta, id: doubt.id, resolution });
    const kind = 'refused_after_success';
    const incident = { id: newTestId(), transfer: doubt, kind, at: new Date() } as const;
    await openIncident(test.database, incident);

    const told = await read({ id: doubt.operatorReference.replaceAll('-', '') });
    assert.deepEqual(
      told.entries.map((entry) =>
        entry.sort === 'event'
          ? entry.event.state
          : entry.sort === 'posting'
            ? entry.posting.kind
            : entry.sort,
      ),
      [
        'submitting',
        'hold',
        'in_doubt',
        'callback',
        'proposed',
        'succeeded',
        'settle',
        'fee',
        'proposal ended',
        'incident opened',
      ],
    );
    assert.equal(told.openProposal, null);
    await assert.rejects(read({ id: doubt.reference }), {
      code: 'TRANSFER_NOT_FOUND',
    });
  });

  it('tells the staff what a callback reported otherwise than was sent, and hides the number', async () => {
    const doubt = await storeDoubt(test.database);
    const { amountMinor, currency, phone } = doubt;
    const sent = { amountMinor, currency, phone };
    const nothing = { amountMinor: null, currency: null, phone: null };
    const reports = [sent, nothing, { amountMinor: 90n, currency: 'NGN', phone: '+260966000111' }];
    for (const [index, reported] of reports.entries()) {
      await call(doubt, '', { reported, receivedAt: new Date(Date.now() + index) });
    }
    const timeline = await read({ id: doubt.id });
    const shown = showTimelineToStaff(timeline).filter(({ kind }) => kind === 'callback');
    assert.deepEqual(
      shown.map(({ facts }) => [
        facts['reportedAmount'],
        facts['reportedCurrency'],
        facts['reportedPhone'],
      ]),
      [
        [null, null, null],
        [null, null, null],
        ['0.90', 'NGN', '+260 96 ••• 0111'],
      ],
    );
  });

  it('finds its postings among all of a busy wallet, by the time they were made', async () => {
    const book = await createTestBook(test.database, { mode: 'live' });
    const wallet = { bookId: book.id, fundedMinor: 1_000_000n };
    const walletId = await createTestWallet(test.database, wallet);
    const ids: string[] = [];
    const start = Date.now();
    for (let minute = 0; minute < 20; minute += 1) {
      const group = Array.from({ length: 5 }, () => prepareTransfer(book, { walletId }));
      const at = new Date(start + minute * 60_000);
      const controls = createControlSnapshots(test);
      const deps = { database: test.database, leaseOwner: randomUUID(), now: () => at, controls };
      await commitTransfers(deps, group);
      ids.push(...group.map(({ id }) => id));
    }
    for (const [index, transferId] of ids.entries()) {
      const at = new Date(start + Math.floor(index / 5) * 60_000);
      const about = { bookId: book.id, walletId, transferId };
      const found = await readTransferPostings(test.database, { ...about, times: [at] });
      assert.deepEqual(
        found.map(({ kind, sequence }) => [kind, sequence]),
        [['hold', BigInt(index + 2)]],
      );
      const late = [new Date(at.getTime() + 30_000)];
      assert.deepEqual(await readTransferPostings(test.database, { ...about, times: late }), []);
    }
  });
});
