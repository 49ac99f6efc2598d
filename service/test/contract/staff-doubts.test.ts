import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Transfer } from '../../src/domain/transfer.ts';
import { resolveByPeople } from '../../src/resolutions/resolve-by-people.ts';
import { readBalance, storeDoubt } from '../stored-doubt.ts';
import { storeTestTransfer } from '../stored-transfer.ts';
import { storePerson, type TestPerson } from '../test-person.ts';
import { openContract } from './open-contract.ts';
import { refusalOf, staffCalls } from './staff-calls.ts';

const PAID = { decision: 'paid', receipt: 'MP-7', evidence: 'seen in the list of MTN' };
const contract = await openContract();
after(() => contract.close());
const { database, merchant, service } = contract;
const { get, post, done } = staffCalls(service.baseUrl);

let treasurer: TestPerson;
let admin: TestPerson;
let support: TestPerson;
before(async () => {
  treasurer = await storePerson(database, { name: 'Chanda', staffRoles: ['treasurer'] });
  admin = await storePerson(database, { name: 'Bwalya', staffRoles: ['admin'] });
  support = await storePerson(database, { name: 'Mulenga', staffRoles: ['support'] });
});

const actorOf = ({ id, name }: TestPerson) => ({ kind: 'person', id, name }) as const;
const stateOf = async ({ id }: Transfer) => (await get(support, `/transfers/${id}`)).transfer.state;

describe('a doubt', () => {
  it('is proposed by one person and confirmed by another, each with evidence', async () => {
    const doubt = await storeDoubt(database);
    const first = await done(treasurer, `/transfers/${doubt.id}/resolve`, PAID);
    assert.deepEqual([first.result, first.transfer.state], ['proposed', 'in_doubt']);
    const { items } = await get(support, '/doubts?mode=live');
    const listed = items.find((one: { transfer: Transfer }) => one.transfer.id === doubt.id);
    assert.deepEqual(listed.proposal.by, { id: treasurer.id, name: 'Chanda' });
    assert.equal(listed.proposal.evidence, PAID.evidence);
    assert.equal(listed.kind, 'SUBMISSION_LOST');
    const evidence = { ...PAID, evidence: 'the support of MTN says so, ticket 4711' };
    const second = await done(admin, `/transfers/${doubt.id}/resolve`, evidence);
    assert.deepEqual([second.result, second.transfer.state], ['confirmed', 'succeeded']);
    assert.equal((await readBalance(database, doubt)).heldMinor, 0n);
    const { proposals, entries } = await get(support, `/transfers/${doubt.id}`);
    assert.deepEqual([proposals[0].end.as, proposals[0].end.by], ['carried_out', 'Bwalya']);
    const kinds = new Set(entries.map(({ kind }: { kind: string }) => kind));
    assert.ok(['created', 'state', 'posting', 'person'].every((kind) => kinds.has(kind)));
  });

  it('is never decided by one person, by session or once by command line and once by session', async () => {
    const doubt = await storeDoubt(database);
    await done(treasurer, `/transfers/${doubt.id}/resolve`, PAID);
    const again = await post(treasurer, `/transfers/${doubt.id}/resolve`, PAID);
    assert.deepEqual(refusalOf(again), [403, 'OWN_WORK']);
    const other = await storeDoubt(database);
    const deps = {
      database,
      directory: database,
      now: () => new Date(),
      newId: () => randomUUID(),
    };
    const resolution = { decision: 'paid', receipt: 'MP-7', evidence: 'by command line' } as const;
    await resolveByPeople(deps, { actor: actorOf(admin), id: other.id, resolution });
    const bySession = await post(admin, `/transfers/${other.id}/resolve`, PAID);
    assert.deepEqual(refusalOf(bySession), [403, 'OWN_WORK']);
    const mirrored = resolveByPeople(deps, { actor: actorOf(treasurer), id: doubt.id, resolution });
    await assert.rejects(mirrored, { code: 'PROPOSAL_IS_OWN' });
    assert.deepEqual([await stateOf(doubt), await stateOf(other)], ['in_doubt', 'in_doubt']);
  });

  it('stays where two people say different things, until one withdraws', async () => {
    const doubt = await storeDoubt(database);
    await done(treasurer, `/transfers/${doubt.id}/resolve`, PAID);
    const notPaid = { decision: 'not_paid', evidence: 'it is on no list' };
    const differs = await post(admin, `/transfers/${doubt.id}/resolve`, notPaid);
    assert.deepEqual(refusalOf(differs), [409, 'INVALID_STATE']);
    assert.match(differs.message, /Chanda proposed that it was paid/);
    const { proposal } = await done(admin, `/transfers/${doubt.id}/withdraw`);
    assert.equal(proposal.by.name, 'Chanda');
    const none = await post(admin, `/transfers/${doubt.id}/withdraw`);
    assert.deepEqual(refusalOf(none), [409, 'INVALID_STATE']);
  });

  it('is decided only as it was seen: a click meant as a proposal does not carry out another one', async () => {
    const doubt = await storeDoubt(database);
    const path = `/transfers/${doubt.id}`;
    const { seen } = await get(admin, path);
    await done(treasurer, `${path}/resolve`, { ...PAID, seen });
    const unseen = await post(admin, `${path}/resolve`, { ...PAID, seen });
    assert.deepEqual(refusalOf(unseen), [409, 'CONTENT_CHANGED']);
    assert.match(unseen.message, /Look at it again/);
    const blind = await post(admin, `${path}/withdraw`, { seen });
    assert.deepEqual(refusalOf(blind), [409, 'CONTENT_CHANGED']);
    const now = await get(admin, path);
    assert.deepEqual([now.transfer.state, now.proposal.decision], ['in_doubt', 'paid']);
    const text = `
      insert into callbacks (id, route, method, headers, body, reading, operator_reference, claims, verified, received_at)
      values (gen_random_uuid(), 'mtn-zm', 'PUT', '{}', '', 'read', $1, 'failed', false, now())`;
    await database.query({ name: '', text }, [doubt.operatorReference]);
    const called = await post(admin, `${path}/resolve`, { ...PAID, seen: now.seen });
    assert.deepEqual(refusalOf(called), [409, 'CONTENT_CHANGED']);
    const reason = 'MTN called, ticket 5';
    const { seen: last } = await get(admin, path);
    await done(admin, `${path}/withdraw`, { seen: last, reason });
    const { items } = await get(admin, `/audit?subject=${doubt.id}&kind=RESOLUTION_WITHDRAWN`);
    assert.equal(items[0].reason, reason);
  });

  it('needs the receipt of what was paid, and a fresh second factor', async () => {
    const doubt = await storeDoubt(database);
    const bad = await post(treasurer, `/transfers/${doubt.id}/resolve`, { decision: 'paid' });
    assert.deepEqual(
      bad.data.error.fields.map(({ field, code }: { field: string; code: string }) => [
        field,
        code,
      ]),
      [
        ['receipt', 'REQUIRED'],
        ['evidence', 'REQUIRED'],
      ],
    );
    const unproven = await storePerson(database, { staffRoles: ['treasurer'], steppedUpAt: null });
    const stale = await post(unproven, `/transfers/${doubt.id}/resolve`, PAID);
    assert.deepEqual(refusalOf(stale), [403, 'STEP_UP_REQUIRED']);
  });
});

describe('asking the operator now', () => {
  it('inquires once in 10 seconds under a lease, is recorded, and never submits', async () => {
    const { id } = await contract.initiate({ phone: '0977433913' });
    await contract.transferOnce(id, ({ state }) => state === 'in_doubt');
    // As if its last inquiry was long ago and the next one far ahead.
    const text = `update transfers set last_checked_at = null, next_action_at = now() + interval '1 hour'
                  where id = $1 and lease_owner is null returning resubmissions`;
    const aside = async () => (await database.query({ name: '', text }, [id])).length;
    while ((await aside()) === 0);
    const asked = await done(support, `/transfers/${id}/inquire`);
    assert.equal(asked.transfer.state, 'in_doubt');
    assert.equal(typeof asked.outcome, 'string');
    assert.equal(asked.answer, null);
    const { evidence } = await get(support, `/transfers/${id}`);
    assert.ok(evidence.lastCheckedAt !== null);
    assert.equal(evidence.resubmissions, 0);
    const again = await post(support, `/transfers/${id}/inquire`);
    assert.deepEqual(refusalOf(again), [429, 'RATE_LIMITED']);
    const { items } = await get(admin, `/audit?subject=${id}&kind=TRANSFER_INQUIRED`);
    assert.deepEqual(
      items.map(({ actor }: { actor: { name: string } }) => actor.name),
      ['Mulenga'],
    );
  });

  it('is refused for what has ended, and where the route is not known', async () => {
    const { id } = await contract.initiate();
    await contract.transferOnce(id, ({ state }) => state === 'succeeded');
    const ended = await post(support, `/transfers/${id}/inquire`);
    assert.deepEqual(refusalOf(ended), [409, 'INVALID_STATE']);
    const doubt = await storeDoubt(database);
    const unknown = await post(support, `/transfers/${doubt.id}/inquire`);
    assert.deepEqual(refusalOf(unknown), [409, 'INVALID_STATE']);
    assert.match(unknown.message, /not in the route file/);
  });
});

describe('cancelling for a merchant', () => {
  it('takes back what is queued, with a reason on record, and nothing that was sent', async () => {
    const queued = await storeTestTransfer(database, {
      book: await bookOf(),
      walletId: merchant.wallets.live.ZMW,
      leaseOwner: randomUUID(),
      reserved: false,
      route: 'mtn-zm',
    });
    const reason = 'the merchant called, ticket 12';
    const cancelled = await done(support, `/transfers/${queued.id}/cancel`, { reason });
    assert.deepEqual([cancelled.state, cancelled.failure.code], ['cancelled', 'CANCELLED']);
    const { items } = await get(admin, `/audit?subject=${queued.id}`);
    assert.deepEqual([items[0].kind, items[0].reason], ['TRANSFER_CANCELLED', reason]);
    const doubt = await storeDoubt(database);
    const sent = await post(support, `/transfers/${doubt.id}/cancel`, { reason });
    assert.deepEqual(refusalOf(sent), [409, 'INVALID_STATE']);
  });
});

async function bookOf() {
  return {
    id: merchant.books.live,
    merchantId: merchant.id,
    mode: 'live' as const,
    feeTerms: { fixedMinor: 0n, basisPoints: 0 },
    isSuspended: false,
    controlsVersion: null,
  };
}

describe('the number of a recipient', () => {
  it('is masked everywhere, and shown to a person on record', async () => {
    const { id, reference } = await contract.initiate();
    const { items } = await get(support, `/transfers?reference=${reference}`);
    assert.deepEqual(
      items.map(({ phone, merchant: owner }: { phone: string; merchant: object }) => [
        phone,
        owner,
      ]),
      [['+260 97 ••• 3571', { id: merchant.id, name: merchant.name }]],
    );
    const dossier = await get(support, `/transfers/${id}`);
    assert.doesNotMatch(JSON.stringify(dossier), /977433571/);
    const { phone } = await done(support, `/transfers/${id}/reveal-phone`);
    assert.equal(phone, '+260977433571');
    const audit = await get(admin, `/audit?subject=${id}&kind=PHONE_REVEALED`);
    assert.equal(audit.items[0].actor.id, support.id);
    assert.doesNotMatch(JSON.stringify(audit), /977433571/);
  });
});

describe('transfers of all books', () => {
  it('are found by id, reference and number, and come in pages, newest first', async () => {
    const phone = '0977000123';
    const one = await contract.initiate({ phone });
    const two = await contract.initiate({ phone });
    for (const q of [two.id, two.reference]) {
      const { items, searched } = await get(support, `/search?q=${q}`);
      assert.deepEqual(items.map(idOf), [two.id], q);
      assert.ok(searched.as.includes('reference'));
    }
    const both = await get(support, `/search?q=${encodeURIComponent('0977 000 123')}`);
    assert.deepEqual(both.items.map(idOf), [two.id, one.id]);
    const query = `/transfers?phone=${phone}&merchantId=${merchant.id}&mode=test&limit=1`;
    const first = await get(support, query);
    assert.deepEqual(first.items.map(idOf), [two.id]);
    const second = await get(support, `${query}&cursor=${first.nextCursor}`);
    assert.deepEqual([second.items.map(idOf), second.nextCursor], [[one.id], null]);
  });
});

function idOf({ id }: { id: string }): string {
  return id;
}
