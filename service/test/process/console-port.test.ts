import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startService } from '../running-service.ts';
import { createTestDatabase } from '../test-database.ts';
import { createTestMerchant } from '../test-merchant.ts';
import { storePerson } from '../test-person.ts';

const { database, serviceUrl, drop } = await createTestDatabase();
const start = (env: Readonly<Record<string, string>>) =>
  startService({ databaseUrl: serviceUrl, env });
const [shared, apart, off] = await Promise.all([
  start({}),
  start({ CONSOLE_PORT: '0' }),
  start({ CONSOLE: 'off', CONSOLE_PORT: '0' }),
]);
after(async () => {
  await Promise.all([shared, apart, off].map((service) => service.end()));
  await drop();
});

const merchant = await createTestMerchant(database);
const owner = await storePerson(database, { roles: [{ merchantId: merchant.id, role: 'owner' }] });
const withKey = { 'x-api-key': merchant.keys.test };
const withSession = { ...owner.headers, 'x-book': merchant.books.test };

/** The status of each request, by name. */
async function statusesAt(baseUrl: string): Promise<Readonly<Record<string, number>>> {
  const ask = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
    (await fetch(`${baseUrl}${path}`, { headers })).status;
  return {
    console: await ask('/console'),
    screen: await ask('/console/transfers'),
    wallets_with_key: await ask('/api/v1/payments/wallets', withKey),
    wallets_with_session: await ask('/api/v1/payments/wallets', withSession),
    wallets_with_both: await ask('/api/v1/payments/wallets', { ...withKey, ...withSession }),
    wallets_without: await ask('/api/v1/payments/wallets'),
    callbacks: await ask('/callbacks/mtn/token'),
    ready: await ask('/health/ready'),
    docs: await ask('/docs'),
    docs_of_people: await ask('/docs/people'),
  };
}

const FOR_ALL = { ready: 200, docs: 200, wallets_without: 401 };

describe('the console and sessions', () => {
  it('share the port of the API', async () => {
    assert.equal(shared.consoleUrl, shared.baseUrl);
    const statuses = await statusesAt(shared.baseUrl);
    assert.deepEqual(statuses, {
      ...FOR_ALL,
      docs_of_people: 200,
      callbacks: 405,
      console: 200,
      screen: 200,
      wallets_with_key: 200,
      wallets_with_session: 200,
      wallets_with_both: 400,
    });
  });

  it('have a listener of their own with CONSOLE_PORT, which takes no key', async () => {
    assert.ok(apart.consoleUrl !== undefined);
    assert.notEqual(apart.consoleUrl, apart.baseUrl);
    assert.deepEqual(await statusesAt(apart.consoleUrl), {
      ...FOR_ALL,
      docs_of_people: 200,
      console: 200,
      screen: 200,
      wallets_with_key: 401,
      wallets_with_session: 200,
      wallets_with_both: 400,
      callbacks: 404,
    });
    const start = await fetch(`${apart.consoleUrl}/`, { redirect: 'manual' });
    assert.equal(start.headers.get('location'), '/console');
  });

  it('leave the API a listener that takes no cookie', async () => {
    const statuses = await statusesAt(apart.baseUrl);
    assert.deepEqual(statuses, WITHOUT_PEOPLE);
  });

  it('are not there with CONSOLE=off', async () => {
    assert.equal(off.consoleUrl, undefined);
    const docs = await fetch(`${off.baseUrl}/docs/people`);
    assert.match(await docs.text(), /start the service with CONSOLE=on/);
    const statuses = await statusesAt(off.baseUrl);
    assert.deepEqual(statuses, WITHOUT_PEOPLE);
  });
});

const WITHOUT_PEOPLE = {
  ...FOR_ALL,
  docs_of_people: 404,
  // They are sent by POST or PUT.
  callbacks: 405,
  console: 404,
  screen: 404,
  wallets_with_key: 200,
  wallets_with_session: 401,
  // A cookie that was sent along means nothing here.
  wallets_with_both: 200,
};
