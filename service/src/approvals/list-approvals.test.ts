import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Approvals, asks, openApprovals } from '../../test/open-approvals.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { TestPerson } from '../../test/test-person.ts';
import { type ApprovalView, listAwaiting, listDecided } from './list-approvals.ts';
import { showApproval } from './transfers/show-approval.ts';
import { createTransferSource } from './transfers/transfer-source.ts';

let test: TestDatabase;
let approvals: Approvals;
before(async () => {
  test = await createTestDatabase();
});
beforeEach(async () => {
  approvals = await openApprovals(test.database);
});
after(() => test.drop());

const deps = () => ({
  database: test.database,
  sources: [createTransferSource(approvals.deps)],
});

async function list(
  person: TestPerson,
  view: Exclude<ApprovalView, 'decided'>,
  page: Readonly<{ after: string | null; limit: number }> = { after: null, limit: 50 },
) {
  const { book } = approvals;
  return listAwaiting(deps(), { book, personId: person.id, view, page });
}

const idsOf = (page: Readonly<{ items: readonly Readonly<{ awaiting: { id: string } }>[] }>) =>
  page.items.map(({ awaiting }) => awaiting.id);

describe('the list of what waits', () => {
  it('says who can still approve, whether this person can, and why not', async () => {
    const { personWith, store, decide } = approvals;
    const [approver, owner, maker] = await Promise.all([
      personWith('approver'),
      personWith('owner'),
      personWith('approver'),
    ]);
    const both = await store({ needed: [asks('big', 1, 'approver'), asks('odd', 1, 'owner')] });
    const own = await store({ creator: `person:${maker.id}` });
    await decide(both, approver);
    const all = await list(maker, 'all');
    assert.deepEqual(idsOf(all), [both.transfer.id, own.transfer.id].sort());
    const shown = all.items.find(({ awaiting }) => awaiting.id === both.transfer.id);
    assert.deepEqual(
      shown?.standing.canApprove.map(({ id }) => id),
      [owner.id],
    );
    assert.deepEqual([shown?.standing.needed, shown?.standing.given], [2, 1]);
    assert.match(shown?.whyNot ?? '', /with the role owner\.$/);
    assert.deepEqual(idsOf(await list(maker, 'mine')), []);
    assert.deepEqual(idsOf(await list(owner, 'mine')), idsOf(all));
    assert.deepEqual(idsOf(await list(approver, 'mine')), [own.transfer.id]);
    assert.deepEqual(idsOf(await list(approver, 'others')), [both.transfer.id]);
    const [mine] = (await list(maker, 'others')).items.filter(
      ({ awaiting }) => awaiting.id === own.transfer.id,
    );
    assert.deepEqual(mine?.awaiting.maker, { kind: 'person', id: maker.id, name: maker.name });
  });

  it('says who can only reject: an owner, and a person whose approval is not wanted any more', async () => {
    const { personWith, store, decide } = approvals;
    const [first, second, owner, maker] = await Promise.all([
      personWith('approver'),
      personWith('approver'),
      personWith('owner'),
      personWith('approver'),
    ]);
    const needed = [asks('big', 1, 'approver'), asks('odd', 1, 'owner')];
    const waiting = await store({ needed, creator: `person:${maker.id}` });
    const plain = await store({ needed: [asks('big', 1, 'approver')] });
    await decide(waiting, first);
    const may = async (person: TestPerson, { transfer }: typeof waiting) => {
      const { items } = await list(person, 'all');
      const shown = items.find(({ awaiting }) => awaiting.id === transfer.id);
      const { book } = approvals;
      const approval = await showApproval(test.database, { book, transfer, personId: person.id });
      assert.equal(approval?.iCanReject, shown?.iCanReject);
      return [shown?.iCan, shown?.iCanReject];
    };
    assert.deepEqual(await may(owner, plain), [false, true]);
    assert.deepEqual(await may(second, waiting), [false, true]);
    assert.deepEqual(await may(owner, waiting), [true, true]);
    assert.deepEqual(await may(first, waiting), [false, false]);
    assert.deepEqual(await may(maker, waiting), [false, false]);
    await decide(plain, owner, 'reject');
  });

  it('goes on from page to page, the oldest first, and passes over approvals of other views', async () => {
    const { personWith, store } = approvals;
    const maker = await personWith('owner');
    const approver = await personWith('approver');
    const stored = [];
    for (let n = 0; n < 5; n += 1) {
      stored.push(await store(n % 2 === 0 ? {} : { creator: `person:${maker.id}` }));
    }
    const ids = stored.map(({ transfer }) => transfer.id).sort();
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page = await list(approver, 'mine', { after, limit: 2 });
      seen.push(...idsOf(page));
      after = page.next;
    } while (after !== null);
    assert.deepEqual(seen, ids);
    const others = await list(maker, 'others', { after: null, limit: 1 });
    assert.equal(others.items.length, 1);
    assert.notEqual(others.next, null);
  });

  it('keeps what was decided, the last decision first, and not what still waits', async () => {
    const { personWith, store, decide, book } = approvals;
    const [first, second] = await Promise.all([personWith('approver'), personWith('approver')]);
    const [approved, rejected, open] = [
      await store(),
      await store(),
      await store({ needed: [asks('big', 2, 'approver')] }),
    ];
    await decide(approved, first);
    await decide(rejected, second, 'reject');
    await decide(open, first);
    const request = { book, personId: first.id };
    const page = await listDecided(deps(), { ...request, page: { before: null, limit: 2 } });
    assert.deepEqual(idsOf(page), [rejected.transfer.id]);
    assert.ok(page.next !== null);
    const rest = await listDecided(deps(), { ...request, page: { before: page.next, limit: 2 } });
    assert.deepEqual(idsOf(rest), [approved.transfer.id]);
    assert.deepEqual([rest.items[0]?.standing.given, rest.items[0]?.iCan], [1, false]);
  });
});
