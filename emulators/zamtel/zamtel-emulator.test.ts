import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createTestFolder } from '../kernel/test-folder.ts';
import { waitUntil } from '../kernel/wait-until.ts';
import {
  startZamtelEmulator,
  type ZamtelEmulator,
  type ZamtelEmulatorOptions,
} from './zamtel-emulator.ts';

type Parameters = Readonly<Record<string, string | null>>;
type HttpAnswer = Readonly<{ status: number; text: string; json: unknown }>;

async function startForTest(
  options: Partial<ZamtelEmulatorOptions> = {},
): Promise<Readonly<{ emulator: ZamtelEmulator }> & AsyncDisposable> {
  const folder = await createTestFolder();
  const journalPath = join(folder.path, 'zamtel.jsonl');
  const emulator = await startZamtelEmulator({ journalPath, timeScale: 0.001, ...options });
  return {
    emulator,
    async [Symbol.asyncDispose]() {
      await emulator.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Valid parameters with some replaced; null leaves one out. */
function queryOf({ settings }: ZamtelEmulator, changed: Parameters): string {
  const { thirdPartyId, password, shortcode, identifier, credential } = settings.credentials;
  const all: Parameters = {
    ThirdPartyID: thirdPartyId,
    Password: password,
    Amount: '150.50',
    Msisdn: '260955123456',
    Shortcode: shortcode,
    identifier,
    credential,
    ConversationId: randomUUID(),
    ...changed,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(all)) if (value !== null) query.append(name, value);
  return query.toString();
}

async function get(url: string, method: string = 'GET'): Promise<HttpAnswer> {
  const answer = await fetch(url, { method });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type') === 'application/json';
  return { status: answer.status, text, json: isJson ? JSON.parse(text) : undefined };
}

function pay(emulator: ZamtelEmulator, changed: Parameters = {}): Promise<HttpAnswer> {
  const query = queryOf(emulator, changed);
  return get(`${emulator.url}${emulator.settings.basePath}/B2CReq?${query}`);
}

describe('Zamtel: a payout', () => {
  it('is paid, and answered with the final status', async () => {
    await using zamtel = await startForTest();
    const { status, json } = await pay(zamtel.emulator, { ConversationId: 'c1' });
    const [entry] = zamtel.emulator.backend.book();
    assert.equal(status, 200);
    const TransactionId = entry?.operatorTransactionId;
    assert.deepEqual(json, { status: '0', message: 'Success', TransactionId });
    assert.equal(entry?.ourReference, 'c1');
    assert.equal(entry?.msisdn, '260955123456');
    assert.equal(entry?.amountMinor, '15050');
    assert.equal(entry?.currency, 'ZMW');
  });

  it('is paid twice when it is sent twice, and the book shows it', async () => {
    await using zamtel = await startForTest();
    const first = await pay(zamtel.emulator, { ConversationId: 'c1' });
    const second = await pay(zamtel.emulator, { ConversationId: 'c1' });
    assert.equal(second.status, 200);
    assert.notDeepEqual(first.json, second.json);
    assert.deepEqual(
      zamtel.emulator.backend.book().map(({ ourReference }) => ourReference),
      ['c1', 'c1'],
    );
  });

  it('can be answered with the other field name and type of the status', async () => {
    await using zamtel = await startForTest({ statusField: 'StatusCode', statusAs: 'number' });
    const { json } = await pay(zamtel.emulator);
    assert.ok(typeof json === 'object' && json !== null && 'StatusCode' in json);
    assert.equal(json.StatusCode, 0);
    zamtel.emulator.chooser.setRules([
      { match: {}, preset: 'reject', behaviour: { refusal: 'E8027' } },
    ]);
    const failed = await pay(zamtel.emulator);
    assert.deepEqual(failed.json, { StatusCode: 'E8027', message: 'System unable to process' });
  });

  const refused: Readonly<Record<string, readonly [Parameters, string]>> = {
    'another caller': [{ ThirdPartyID: 'x' }, '2001'],
    'a wrong password': [{ Password: 'x' }, '2001'],
    'another short code': [{ Shortcode: '1' }, '2001'],
    'another operator user': [{ identifier: 'x' }, '2001'],
    'a wrong credential': [{ credential: 'x' }, '2001'],
    'a number with a plus': [{ Msisdn: '+260955123456' }, '2051'],
    'a number without its country': [{ Msisdn: '0955123456' }, '2051'],
    'a number that is too long': [{ Msisdn: '2609551234567' }, '2051'],
    'a number without an account': [{ Msisdn: '260955123901' }, '2002'],
    'an amount of zero': [{ Amount: '0' }, '2005'],
    'an amount that is not a number': [{ Amount: 'much' }, '2005'],
    'a negative amount': [{ Amount: '-1' }, '2005'],
    'three decimals': [{ Amount: '1.005' }, '2005'],
    'more than the limit': [{ Amount: '100000.01' }, '2005'],
  };
  for (const [what, [changed, code]] of Object.entries(refused)) {
    it(`is refused with ${code} for ${what}, with HTTP 200`, async () => {
      await using zamtel = await startForTest();
      const { status, json } = await pay(zamtel.emulator, changed);
      assert.equal(status, 200);
      assert.ok(typeof json === 'object' && json !== null && 'status' in json);
      assert.equal(json.status, code);
      assert.deepEqual(zamtel.emulator.backend.book(), []);
    });
  }

  it('is refused with 2006 when the float is too small', async () => {
    await using zamtel = await startForTest({ floatMinor: 15_049n });
    const { json } = await pay(zamtel.emulator);
    assert.deepEqual(json, { status: '2006', message: 'Balance insufficient' });
  });

  it('is refused as malformed when a parameter is missing, repeated or in another letter case', async () => {
    await using zamtel = await startForTest();
    const names = ['ThirdPartyID', 'Password', 'Amount', 'Msisdn', 'Shortcode', 'ConversationId'];
    for (const name of [...names, 'identifier', 'credential']) {
      assert.equal((await pay(zamtel.emulator, { [name]: null })).status, 400, name);
      assert.equal((await pay(zamtel.emulator, { [name]: '' })).status, 400, name);
    }
    const { identifier } = zamtel.emulator.settings.credentials;
    const shouted = { identifier: null, Identifier: identifier };
    assert.equal((await pay(zamtel.emulator, shouted)).status, 400);
    const path = `${zamtel.emulator.url}${zamtel.emulator.settings.basePath}/B2CReq`;
    const twice = `${path}?${queryOf(zamtel.emulator, {})}&Amount=1`;
    assert.equal((await get(twice)).status, 400);
    assert.deepEqual(zamtel.emulator.backend.book(), []);
  });

  it('is refused when the password is not percent-encoded in the query', async () => {
    await using zamtel = await startForTest();
    const { emulator } = zamtel;
    const { password } = emulator.settings.credentials;
    const query = queryOf(emulator, { Password: null });
    const path = `${emulator.url}${emulator.settings.basePath}/B2CReq`;
    // An unescaped plus is read as a space.
    const { text } = await get(`${path}?${query}&Password=${password}`);
    assert.match(text, /"2001"/);
  });

  it('is accepted only as a GET at the configured path', async () => {
    await using zamtel = await startForTest();
    const { emulator } = zamtel;
    const query = queryOf(emulator, {});
    assert.equal((await get(`${emulator.url}/ZampayRestProd/B2CReq?${query}`, 'POST')).status, 405);
    for (const path of ['/ZampayRest/B2CReq', '/ZampayRestProd/b2creq', '/ZampayRestProd/Status']) {
      assert.equal((await get(`${emulator.url}${path}?${query}`)).status, 404);
    }
    await using test = await startForTest({ basePath: '/ZampayRest' });
    assert.equal((await pay(test.emulator)).status, 200);
  });

  it('is refused from an address that is not on the list', async () => {
    await using zamtel = await startForTest({ addressesAllowed: ['192.0.2.1'] });
    assert.equal((await pay(zamtel.emulator)).status, 403);
  });
});

describe('Zamtel: misbehaving', () => {
  it('pays, and answers with an error code or with a page that is not its own', async () => {
    await using zamtel = await startForTest();
    const { emulator } = zamtel;
    emulator.chooser.setRules([
      { match: {}, preset: 'pay-then-500', times: 1 },
      { match: {}, preset: 'pay-then-400', times: 1 },
      { match: {}, preset: 'pay-then-html', times: 1 },
    ]);
    const failed = await pay(emulator);
    assert.equal(failed.status, 500);
    assert.deepEqual(failed.json, { status: '-1', message: 'Internal error' });
    assert.equal((await pay(emulator)).status, 400);
    assert.equal((await pay(emulator)).status, 502);
    assert.equal(emulator.backend.book().length, 3);
  });

  it('answers with an internal error, and pays later', async () => {
    await using zamtel = await startForTest({ timeScale: 1 });
    const { emulator } = zamtel;
    emulator.chooser.setRules([{ match: {}, preset: 'execute-late' }]);
    assert.deepEqual((await pay(emulator)).json, { status: '-1', message: 'Internal error' });
    assert.deepEqual(emulator.backend.book(), []);
    await emulator.backend.flush();
    assert.equal(emulator.backend.book().length, 1);
  });

  it('keeps the caller waiting until a pending payout ends, for ever if it never does', async () => {
    await using zamtel = await startForTest();
    const { emulator } = zamtel;
    emulator.chooser.setRules([
      { match: { msisdnEndsIn: '1' }, preset: 'pending-then-ok' },
      { match: { msisdnEndsIn: '2' }, preset: 'pending-then-failed' },
      { match: { msisdnEndsIn: '3' }, preset: 'pending-for-ever' },
    ]);
    assert.match((await pay(emulator, { Msisdn: '260955000001' })).text, /"0"/);
    assert.match((await pay(emulator, { Msisdn: '260955000002' })).text, /"2051"/);
    const forEver = pay(emulator, { Msisdn: '260955000003' }).catch(() => 'never answered');
    await waitUntil('the payout has arrived', () => {
      return emulator.backend.open().some(({ msisdn }) => msisdn === '260955000003');
    });
    await pay(emulator);
    assert.equal(emulator.requests().length, 3, 'the other three were answered, this one was not');
    await emulator.close();
    assert.equal(await forEver, 'never answered');
  });

  it('executes one payout twice', async () => {
    await using zamtel = await startForTest();
    zamtel.emulator.chooser.setRules([{ match: {}, preset: 'execute-twice' }]);
    assert.match((await pay(zamtel.emulator)).text, /"0"/);
    assert.equal(zamtel.emulator.backend.book().length, 2);
  });

  it('resets or hangs without an answer, paid or not', async () => {
    await using zamtel = await startForTest();
    const { emulator } = zamtel;
    emulator.chooser.setRules([
      { match: {}, preset: 'pay-no-answer', times: 1 },
      { match: {}, preset: 'lost', times: 1 },
      { match: {}, preset: 'pay-then-reset', times: 1 },
    ]);
    const silent: Promise<unknown>[] = [];
    for (const waiting of [1, 2]) {
      silent.push(pay(emulator).catch(() => 'never answered'));
      await waitUntil('it hangs', () => emulator.requests().length === waiting);
    }
    await assert.rejects(pay(emulator));
    assert.equal(emulator.backend.book().length, 2);
    await emulator.close();
    assert.deepEqual(await Promise.all(silent), ['never answered', 'never answered']);
  });

  it('answers 2001 for an expired credential, and does not pay', async () => {
    await using zamtel = await startForTest();
    zamtel.emulator.chooser.setRules([{ match: {}, preset: 'token-expired' }]);
    assert.match((await pay(zamtel.emulator)).text, /"2001"/);
    assert.deepEqual(zamtel.emulator.backend.book(), []);
  });
});
