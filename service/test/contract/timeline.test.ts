import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { createTestMerchant } from '../test-merchant.ts';
import { storePerson } from '../test-person.ts';
import { startWebhookReceiver } from '../webhook-receiver.ts';
import {
  assertRefused,
  type Fields,
  fieldsOf,
  listOf,
  type Transfer,
  textOf,
} from './api-client.ts';
import { openContract, poll, TRANSFERS } from './open-contract.ts';
import { type OwnerClient, openOwnerClient } from './owner-client.ts';

const contract = await openContract({ WEBHOOKS_TO_LOOPBACK: '1' });
after(() => contract.close());
const { api, apiWith, database, merchant, initiate, order, transferOnce } = contract;

let person: OwnerClient;
before(async () => {
  person = await openOwnerClient({ database, api: apiWith() }, merchant);
});

const run = (text: string, values: readonly unknown[]) =>
  database.query({ name: '', text }, values);

async function timeline(id: string) {
  const { status, data, text } = await person.get(`transfers/${id}/timeline`);
  assert.equal(status, 200, text);
  const entries = listOf(data['entries']);
  return {
    why: fieldsOf(data['why']),
    entries,
    earlier: listOf(data['earlier']),
    of: (kind: string) => entries.filter((entry) => entry['kind'] === kind),
  };
}

const titles = (entries: readonly Fields[]) => entries.map(({ title }) => title);
const is = (state: string) => (transfer: Transfer) => transfer.state === state;

/** The ending of the number, the state it comes to, the last title, and what is said about it. */
const ends: readonly (readonly [string, string, string, RegExp])[] = [
  ['571', 'succeeded', 'Paid', /^The recipient was paid\.$/],
  ['901', 'failed', 'Failed', /no account for this number/],
  ['902', 'failed', 'Failed', /reached its limit/],
  ['903', 'failed', 'Failed', /refused the transfer/],
  ['911', 'succeeded', 'Paid', /was paid/],
  ['912', 'failed', 'Failed', /wallet has the money again/],
  ['913', 'in_doubt', 'In doubt', /^It is not known yet whether it was paid\. \w/],
  ['921', 'reversed', 'Returned by the operator', /returned the money/],
  ['941', 'queued', 'Queued', /waits until airtel takes it/],
];

describe('the timeline of a transfer', () => {
  for (const [ending, state, title, line] of ends) {
    it(`tells why one to …${ending} is ${state}`, async () => {
      const { id } = await initiate({ phone: `0977433${ending}` });
      await transferOnce(id, is(state));
      const { why, of } = await timeline(id);
      assert.match(textOf(why['line']), line);
      assert.equal(typeof why['action'], state === 'succeeded' ? 'object' : 'string');
      const [created, ...more] = of('created');
      assert.deepEqual([created?.['title'], more], ['Requested', []]);
      const states = titles(of('state'));
      if (state === 'queued') assert.deepEqual(fieldsOf(created?.['facts'])['state'], 'queued');
      else assert.equal(states.at(-1), title);
      const held = titles(of('posting'));
      assert.match(textOf(held[0]), /^1\.00 ZMW held$/);
    });
  }

  it('of a cancelled one names who cancelled it', async () => {
    const { id } = await initiate({ phone: '0977433941' });
    assert.equal((await person.post(`transfers/${id}/cancel`, {})).status, 200);
    const { why, of } = await timeline(id);
    assert.match(textOf(why['line']), /^Cancelled before it reached the operator\./);
    const { actor } = of('state').at(-1) ?? {};
    assert.deepEqual(actor, { kind: 'person', id: person.id, name: person.name });
  });

  it('names the key or the person who requested it, and no one of the staff', async () => {
    const byKey = await timeline((await initiate()).id);
    assert.equal(fieldsOf(byKey.of('created')[0]?.['actor'])['name'], 'Test');
    const { data } = await person.post(TRANSFERS, order());
    const byPerson = await timeline(textOf(data['id']));
    const shown = { kind: 'person', id: person.id, name: person.name };
    assert.deepEqual(byPerson.of('created')[0]?.['actor'], shown);

    const staff = await storePerson(database, { name: 'Secret Staffer', staffRoles: ['support'] });
    const id = textOf(data['id']);
    await transferOnce(id, is('succeeded'));
    await run(
      `insert into events (book_id, subject_id, seq, from_state, to_state, cause, actor, created_at, queued)
       values ($1, $2, 90, 'succeeded', 'reversed', 'two people decided', $3, now(), true)`,
      [merchant.books.test, id, `person:${staff.id}`],
    );
    const { entries, of } = await timeline(id);
    const { actor } = of('state').at(-1) ?? {};
    assert.deepEqual(actor, { kind: 'staff', id: null, name: 'Kafue staff' });
    assert.doesNotMatch(JSON.stringify(entries), /Secret Staffer/);
    assert.ok(!JSON.stringify(entries).includes(staff.id));
  });

  it('shows attempts with the code of the operator, and nothing of the route or the answer', async () => {
    const { id } = await initiate({ phone: '0977433913' });
    const answer = {
      status: { response_code: 'DP00800001005', message: '<b>Low float</b>' },
      x: 'inner',
    };
    await run(
      `insert into attempts (book_id, transfer_id, id, route, purpose, operator_reference, request,
         http_status, answer, outcome, elapsed_ms, ended_at)
       values ($1, $2, $3, 'secret-route', 'submit', $3, 'POST /standard/v3/disbursements', 200, $4,
         'unknown', 321, now())`,
      [merchant.books.test, id, randomUUID(), JSON.stringify(answer)],
    );
    const { entries, of } = await timeline(id);
    const [attempt] = of('attempt');
    assert.equal(attempt?.['title'], 'Sent to airtel');
    assert.deepEqual(attempt?.['facts'], {
      operation: 'submit',
      outcome: 'unknown',
      httpStatus: 200,
      code: 'DP00800001005',
      meaning: '<b>Low float</b>',
      elapsedMs: 321,
    });
    assert.doesNotMatch(JSON.stringify(entries), /secret-route|disbursements|inner/);
  });

  it('says of incidents and proposals only that people look at it', async () => {
    const { id } = await initiate();
    await transferOnce(id, is('succeeded'));
    await run(
      `insert into incidents (book_id, transfer_id, id, kind, detail, opened_at)
       values ($1, $2, $3, 'CONTRADICTED', 'internal words', now())`,
      [merchant.books.test, id, randomUUID()],
    );
    const staff = await storePerson(database, { staffRoles: ['treasurer'] });
    await run(
      `insert into proposals (book_id, id, transfer_id, decision, evidence, event_seq, proposed_by,
         proposed_at, expires_at)
       values ($1, $2, $3, 'reversed', 'internal words', 2, $4, now(), now() + interval '1 day')`,
      [merchant.books.test, randomUUID(), id, staff.id],
    );
    const { entries, of } = await timeline(id);
    assert.deepEqual(titles(of('person')), ['People of the service look at it']);
    assert.deepEqual(titles(of('incident')), ['The operator contradicts what is recorded']);
    assert.doesNotMatch(JSON.stringify(entries), /internal words/);
  });

  it('shows the webhooks of its events', async () => {
    const receiver = await startWebhookReceiver();
    after(() => receiver.close());
    const { data } = await api.post('webhooks', { url: receiver.url() });
    const { id } = await initiate();
    await transferOnce(id, is('succeeded'));
    const { of } = await poll(
      () => timeline(id),
      (shown) =>
        shown.of('webhook').filter(({ facts }) => fieldsOf(facts)['deliveryState'] === 'delivered')
          .length === 2,
    );
    const facts = of('webhook').map((entry) => fieldsOf(entry['facts']));
    assert.deepEqual(facts.map(({ event }) => textOf(event)).toSorted(), [
      'transfer.created',
      'transfer.successful',
    ]);
    for (const { endpointId, httpStatus, attempts } of facts) {
      assert.deepEqual([endpointId, httpStatus, attempts], [data['id'], 204, 1]);
    }
  });

  it('has the last five payouts to the same number before it', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 7; n += 1) ids.push((await initiate({ phone: '0977433588' })).id);
    const { earlier } = await timeline(ids[6] ?? '');
    assert.deepEqual(
      earlier.map(({ id }) => id),
      ids.slice(1, 6).toReversed(),
    );
  });

  it("does not exist for another book's people, for keys, or for no id", async () => {
    const { id } = await initiate();
    const other = await createTestMerchant(database);
    const stranger = await openOwnerClient({ database, api: apiWith() }, other);
    assertRefused(await stranger.get(`transfers/${id}/timeline`), 404, 'TRANSFER_NOT_FOUND');
    assertRefused(await person.get('transfers/x/timeline'), 404, 'TRANSFER_NOT_FOUND');
    assertRefused(await api.get(`transfers/${id}/timeline`), 403, 'FORBIDDEN');
  });
});
