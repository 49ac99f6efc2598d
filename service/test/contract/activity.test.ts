import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { freezeWallet } from '../../src/merchants/freeze-wallet.ts';
import { createTestMerchant } from '../test-merchant.ts';
import { storePerson, type TestPerson } from '../test-person.ts';
import { type Fields, fieldsOf, listOf, textOf } from './api-client.ts';
import { openContract, RECIPIENTS, TRANSFERS } from './open-contract.ts';
import { callAs } from './person-client.ts';

const contract = await openContract();
after(() => contract.close());
const { database, service, apiWith } = contract;

const activity = async (person: TestPerson, merchantId: string, query = '') => {
  const path = `merchants/${merchantId}/activity${query}`;
  const { status, code, data } = await callAs(service.baseUrl, person, path);
  return { status, code, data, items: status === 200 ? listOf(data['items']) : [] };
};
const kindsOf = (items: readonly Fields[]) => items.map(({ kind }) => kind);

async function merchantWith(role: 'owner' | 'viewer' | 'developer' = 'owner') {
  const merchant = await createTestMerchant(database);
  const person = await storePerson(database, { roles: [{ merchantId: merchant.id, role }] });
  return { merchant, person, api: apiWith(merchant.keys.test) };
}

describe('the activity of a merchant', () => {
  it('shows what a key and a person did with webhooks, recipients and transfers', async () => {
    const { merchant, person, api } = await merchantWith();
    const from = new Date().toISOString();
    const url = 'https://hooks.example.com/in?token=hidden';
    const made = await api.post('webhooks', { url });
    assert.equal(made.status, 201, made.text);
    const id = textOf(made.data['id']);
    const asPerson = (path: string, method: string, body?: Fields) =>
      callAs(service.baseUrl, person, `payments/${path}`, {
        method,
        bookId: merchant.books.test,
        ...(body === undefined ? {} : { body }),
      });
    await asPerson(`webhooks/${id}`, 'PATCH', { events: ['transfer.failed'] });
    await asPerson(`webhooks/${id}/rotate-secret`, 'POST');
    const tested = await asPerson(`webhooks/${id}/test`, 'POST');
    await asPerson(`webhooks/deliveries/${textOf(tested.data['id'])}/replay`, 'POST');
    await asPerson(`webhooks/${id}/replay`, 'POST', { from });
    await asPerson(`webhooks/${id}`, 'DELETE');
    const account = { phone: '0977433571', operator: 'airtel', country: 'zm' };
    const recipient = await api.post(RECIPIENTS, account);
    assert.equal(recipient.status, 201, recipient.text);
    await api.post(RECIPIENTS, account);

    const { items } = await activity(person, merchant.id, `?from=${from}`);
    assert.deepEqual(kindsOf(items).toReversed(), [
      'WEBHOOK_CREATED',
      'WEBHOOK_CHANGED',
      'WEBHOOK_SECRET_ROTATED',
      'DELIVERY_REPLAYED',
      'DELIVERIES_REPLAYED',
      'WEBHOOK_DELETED',
      'RECIPIENT_CREATED',
    ]);
    const [created, deleted, changed] = [items[0], items[1], items[5]];
    const key = fieldsOf(created?.['actor']);
    assert.deepEqual([key['kind'], key['name']], ['key', 'Test']);
    assert.deepEqual(deleted?.['actor'], { kind: 'person', id: person.id, name: person.name });
    assert.deepEqual(changed?.['after'], {
      url: 'https://hooks.example.com/in',
      events: ['transfer.failed'],
      status: 'enabled',
    });
    const text = JSON.stringify(items);
    const secret = textOf(made.data['secret']);
    for (const hidden of ['hidden', secret, '977433571']) assert.ok(!text.includes(hidden), hidden);
  });

  it('shows a cancelled transfer, and who cancelled it', async () => {
    const { merchant, person, api } = await merchantWith();
    // The sandbox's operator is down for this number, so the transfer stays queued for a while.
    const made = await api.post(TRANSFERS, {
      ...contract.order({ phone: '0977433941' }),
      walletId: merchant.wallets.test.ZMW,
    });
    const id = textOf(made.data['id']);
    const cancelled = await api.post(`transfers/${id}/cancel`, {});
    assert.equal(cancelled.status, 200, cancelled.text);
    const { items } = await activity(person, merchant.id, '?kind=TRANSFER_CANCELLED');
    assert.deepEqual(
      items.map(({ subject, bookId }) => [subject, bookId]),
      [[id, merchant.books.test]],
    );
  });

  it('names the staff without saying who', async () => {
    const { merchant, person } = await merchantWith();
    const staff = await storePerson(database, { name: 'Chileshe Phiri', staffRoles: ['admin'] });
    await freezeWallet(
      { database, now: () => new Date(), newId: randomUUID },
      {
        actor: { kind: 'person', id: staff.id, name: staff.name },
        id: merchant.wallets.test.ZMW,
      },
    );
    const { items } = await activity(person, merchant.id, '?kind=WALLET_FROZEN');
    assert.deepEqual(
      items.map(({ actor }) => actor),
      [{ kind: 'person', id: null, name: 'Kafue staff' }],
    );
    const all = await activity(person, merchant.id);
    for (const hidden of [staff.id, staff.name, 'tester@test.example']) {
      assert.ok(!JSON.stringify(all.data).includes(hidden), hidden);
    }
    const byStaff = await activity(person, merchant.id, `?actor=${staff.id}`);
    assert.deepEqual(byStaff.items, []);
  });

  it('pages without gaps, and filters by book', async () => {
    const { merchant, person } = await merchantWith('viewer');
    const all = (await activity(person, merchant.id)).items;
    assert.ok(all.length > 5, JSON.stringify(kindsOf(all)));
    const seen: Fields[] = [];
    let cursor = '';
    for (let pages = 0; pages < 20; pages += 1) {
      const { data, items } = await activity(person, merchant.id, `?limit=2${cursor}`);
      seen.push(...items);
      if (data['nextCursor'] === null) break;
      cursor = `&cursor=${textOf(data['nextCursor'])}`;
    }
    assert.deepEqual(seen, all);
    const live = await activity(person, merchant.id, `?bookId=${merchant.books.live}`);
    assert.deepEqual(kindsOf(live.items), ['WALLET_CREATED', 'WALLET_CREATED', 'KEY_ISSUED']);
    for (const query of ['?limit=0', '?kind=NONE', '?actor=me', '?cursor=x', '?spare=1']) {
      assert.equal((await activity(person, merchant.id, query)).code, 'VALIDATION_ERROR', query);
    }
  });

  it('shows a developer what was done with keys and webhooks of the live book, and no payouts', async () => {
    const { merchant, person: developer } = await merchantWith('developer');
    const { live, test } = merchant.books;
    const url = 'https://hooks.example.com/in';
    const made = await apiWith(merchant.keys.live).post('webhooks', { url });
    assert.equal(made.status, 201, made.text);
    // As releases recorded it that did not name the book of an act.
    for (const after of [{ mode: 'live' }, { mode: 'test' }, {}]) {
      await database.query(
        {
          name: '',
          text: `insert into acts (id, actor_kind, actor_name, kind, subject, merchant_id, after, acted_at, as_member)
                 values ($1, 'system', 'system', 'WALLET_FUNDED', 'old', $2, $3, now(), false)`,
        },
        [randomUUID(), merchant.id, JSON.stringify(after)],
      );
    }
    const owner = await storePerson(database, {
      roles: [{ merchantId: merchant.id, role: 'owner' }],
    });
    const kindsIn = async (person: TestPerson, query: string) =>
      kindsOf((await activity(person, merchant.id, query)).items);
    const shown = ['WEBHOOK_CREATED', 'KEY_ISSUED'];
    assert.deepEqual(await kindsIn(developer, `?bookId=${live}`), shown);
    assert.deepEqual(
      (await kindsIn(owner, `?bookId=${live}`)).filter((kind) => !shown.includes(String(kind))),
      ['WALLET_CREATED', 'WALLET_CREATED'],
    );
    const ofTest = await kindsIn(owner, `?bookId=${test}`);
    assert.ok(ofTest.includes('WALLET_CREATED'));
    assert.deepEqual(await kindsIn(developer, `?bookId=${test}`), ofTest);
    const oldOf = async (person: TestPerson) => {
      const { items } = await activity(person, merchant.id, '?kind=WALLET_FUNDED');
      return items.flatMap(({ subject, after }) => (subject === 'old' ? [after] : []));
    };
    assert.equal((await oldOf(owner)).length, 3);
    assert.deepEqual(await oldOf(developer), [{ mode: 'test' }]);
    const path = `merchants/${merchant.id}/invitations`;
    const body = {
      name: 'Bupe',
      email: `${randomUUID()}@example.test`,
      roles: [{ role: 'viewer' }],
    };
    assert.equal(
      (await callAs(service.baseUrl, owner, path, { method: 'POST', body })).status,
      201,
    );
    assert.equal((await kindsIn(developer, '')).at(0), 'PERSON_INVITED');
  });

  it('hides other merchants, and books that the role does not reach', async () => {
    const { merchant } = await merchantWith();
    const role = { merchantId: merchant.id, role: 'viewer', bookId: merchant.books.test } as const;
    const limited = await storePerson(database, { roles: [role] });
    const { items } = await activity(limited, merchant.id);
    assert.ok(items.length > 0);
    assert.ok(items.every(({ bookId }) => bookId !== merchant.books.live));
    const stranger = await storePerson(database, {
      roles: [{ merchantId: (await createTestMerchant(database)).id, role: 'owner' }],
    });
    assert.equal((await activity(stranger, merchant.id)).status, 404);
  });
});
