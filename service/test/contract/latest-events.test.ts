import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { storePerson } from '../test-person.ts';
import { openContract } from './open-contract.ts';

const contract = await openContract();
after(() => contract.close());
const { merchant, database, service } = contract;

type Event = { id: string; type: string; data: { reference?: string } };
type Answer = { status: number; data: { items: Event[]; nextCursor: string | null } & Event };

const viewer = await storePerson(database, {
  roles: [{ merchantId: merchant.id, role: 'viewer' }],
});
const developer = await storePerson(database, {
  roles: [{ merchantId: merchant.id, role: 'developer' }],
});

async function get(path: string, options: { as?: typeof viewer; book?: string } = {}) {
  const { as = viewer, book = merchant.books.test } = options;
  const answer = await fetch(`${service.baseUrl}/api/v1/payments/${path}`, {
    headers: { ...as.headers, 'x-book': book },
  });
  return { status: answer.status, data: ((await answer.json()) as Answer).data };
}

describe('the latest events', () => {
  it('come newest first, page by page, and each can be looked up by its id', async () => {
    const first = await contract.initiate();
    const second = await contract.initiate();
    const query = 'events/latest?type=transfer.created&limit=1';
    const page = (await get(query)).data;
    assert.deepEqual(
      page.items.map(({ data }) => data.reference),
      [second.reference],
    );
    const older = (await get(`${query}&cursor=${page.nextCursor}`)).data;
    assert.deepEqual(
      older.items.map(({ data }) => data.reference),
      [first.reference],
    );
    assert.equal(older.nextCursor, null);
    const [event] = older.items;
    assert.deepEqual((await get(`events/${event?.id}`)).data, event);
  });

  it('are seen only by people who may see payouts, in their own book', async () => {
    const event = (await get('events/latest?limit=1')).data.items[0];
    assert.equal((await get(`events/${event?.id}`, { book: merchant.books.live })).status, 404);
    assert.equal((await get('events/evt_x')).status, 404);
    const asDeveloper = { as: developer, book: merchant.books.live };
    assert.equal((await get('events/latest', asDeveloper)).status, 403);
    assert.equal((await get('events/latest?limit=0')).status, 400);
  });
});
