import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type Answer, assertRefused, brokenFields, type Call, readTransfer } from './api-client.ts';
import { newReference, openContract, RECIPIENTS, TRANSFERS } from './open-contract.ts';

const BODY_BYTES_MAX = 16 * 1024;
const contract = await openContract({ RATE_LIMIT_PER_SECOND: '1000' });
after(() => contract.close());
const { api, order } = contract;
const postTransfer = { method: 'POST', path: `/api/v1/payments/${TRANSFERS}` };
const json = { 'content-type': 'application/json' };

function assertRateLimitHeaders(answer: Answer): void {
  for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) {
    assert.match(String(answer.headers[name]), /^\d+$/, `${answer.status} lacks ${name}`);
  }
}

it('answers 201 with the whole transfer, its Location, and the message "Transfer initiated"', async () => {
  const reference = newReference();
  const body = order({ reference, amount: 12.5, narration: 'May', recipientName: "O'Brien" });
  const answer = await api.post(TRANSFERS, body);
  assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.message, 'Transfer initiated');
  assertRateLimitHeaders(answer);
  const transfer = readTransfer(answer.data);
  const { walletId, operator, country } = body;
  assert.deepEqual(
    { ...transfer, id: '', createdAt: '', updatedAt: '', state: '' },
    {
      id: '',
      type: 'mobile-money',
      reference,
      status: 'pending',
      state: '',
      amount: 12.5,
      fee: 0,
      currency: 'ZMW',
      walletId,
      phone: '+260977433571',
      operator,
      country,
      recipientName: "O'Brien",
      narration: 'May',
      metadata: null,
      sendAt: null,
      source: 'api',
      policyVersion: null,
      rules: [],
      contentHash: null,
      approval: null,
      payoutFileId: null,
      replaces: null,
      operatorTransactionId: null,
      failure: null,
      mode: 'test',
      createdAt: '',
      updatedAt: '',
      completedAt: null,
    },
  );
  const place = new URL(answer.headers.location ?? '', contract.service.baseUrl);
  const there = await api.get(place.pathname);
  assert.equal(readTransfer(there.data).id, transfer.id);
});

it('shows one transfer by its id and by its reference', async () => {
  const { id, reference } = await contract.initiate();
  const done = await contract.transferOnce(id, ({ status }) => status !== 'pending');
  const byReference = await api.get(`transfers/status/${reference}`);
  assert.equal(byReference.status, 200);
  assert.deepEqual(readTransfer(byReference.data), done);
});

const unknownId = randomUUID();
const refusals: readonly (readonly [what: string, status: number, code: string, call: Call])[] = [
  ['broken JSON', 400, 'INVALID_JSON', { ...postTransfer, headers: json, body: '{' }],
  ['an empty object', 400, 'VALIDATION_ERROR', { ...postTransfer, headers: json, body: '{}' }],
  ['an unknown path', 404, 'NOT_FOUND', { path: '/api/v1/payments/nothing' }],
  ['an unknown version', 404, 'NOT_FOUND', { path: '/api/v2/payments/transfers' }],
  ['the root of the API', 404, 'NOT_FOUND', { path: '/api/' }],
  ['an unknown transfer', 404, 'TRANSFER_NOT_FOUND', { path: `transfers/${unknownId}` }],
  ['no transfer id', 404, 'TRANSFER_NOT_FOUND', { path: 'transfers/no-uuid' }],
  ['an unknown reference', 404, 'TRANSFER_NOT_FOUND', { path: 'transfers/status/unknown' }],
  [
    'an unknown recipient',
    404,
    'RECIPIENT_NOT_FOUND',
    { path: `transfer-recipients/${unknownId}` },
  ],
  ['an unknown wallet', 404, 'WALLET_NOT_FOUND', { path: `wallets/${unknownId}` }],
  [
    'a body over 16 KiB',
    413,
    'BODY_TOO_LARGE',
    { ...postTransfer, headers: json, body: ' '.repeat(BODY_BYTES_MAX + 1) },
  ],
  [
    'another media type',
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    { ...postTransfer, headers: { 'content-type': 'text/plain' }, body: '{}' },
  ],
  [
    'a compressed body',
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    { ...postTransfer, headers: { ...json, 'content-encoding': 'gzip' }, body: gzipSync('{}') },
  ],
];

for (const [what, status, code, call] of refusals) {
  it(`answers ${what} with ${status} ${code} in the envelope`, async () => {
    const answer = await api.send(call);
    assertRefused(answer, status, code);
    // An unknown path requires no key, so no rate limit is counted.
    if (code !== 'NOT_FOUND') assertRateLimitHeaders(answer);
  });
}

const otherMethods: readonly (readonly [method: string, path: string, allow: string])[] = [
  ['PUT', TRANSFERS, 'POST'],
  ['DELETE', RECIPIENTS, 'POST'],
  ['DELETE', `transfers/${unknownId}`, 'GET'],
  ['POST', 'transfers', 'GET'],
  ['PATCH', 'transfers/status/some', 'GET'],
  ['DELETE', `transfers/${unknownId}/history`, 'GET'],
  ['GET', `transfers/${unknownId}/cancel`, 'POST'],
  ['DELETE', 'transfer-recipients', 'GET'],
  ['POST', `transfer-recipients/${unknownId}`, 'GET'],
  ['GET', 'resolve/mobile-money', 'POST'],
  ['POST', 'wallets', 'GET'],
  ['PUT', `wallets/${unknownId}`, 'GET'],
  ['POST', `wallets/${unknownId}/postings`, 'GET'],
  ['DELETE', 'operators', 'GET'],
];

it('answers another method with 405 and the allowed methods', async () => {
  for (const [method, path, allow] of otherMethods) {
    const answer = await api.send({ method, path });
    assertRefused(answer, 405, 'METHOD_NOT_ALLOWED', `${method} ${path}`);
    const allowed = (answer.headers.allow ?? '').split(/\s*,\s*/);
    assert.ok(allowed.includes(allow), `${method} ${path} allows ${answer.headers.allow}`);
    assert.ok(!allowed.includes(method), `${method} ${path} allows ${answer.headers.allow}`);
  }
});

it('answers unknown paths and methods in the envelope without a key too', async () => {
  const keyless = contract.apiWith();
  for (const call of [
    { path: '/api/nothing' },
    { method: 'PUT', path: TRANSFERS },
    { path: '/api' },
  ]) {
    const { status } = await keyless.send(call);
    assert.ok([401, 404, 405].includes(status), `${status} for ${call.path}`);
  }
});

it('lists all broken fields at once, each with its code', async () => {
  const answer = await api.post(TRANSFERS, {
    amount: '1',
    reference: 'no spaces',
    phone: 'abc',
    operator: 'MTN',
    country: 'za',
    walletId: 'mine',
    narration: 'n'.repeat(101),
    recipientName: 'a\u0000b',
    walletID: randomUUID(),
  });
  assertRefused(answer, 400, 'VALIDATION_ERROR');
  assert.deepEqual(brokenFields(answer), {
    amount: 'INVALID_AMOUNT',
    reference: 'INVALID_REFERENCE',
    phone: 'INVALID_PHONE',
    operator: 'INVALID_OPERATOR',
    country: 'INVALID_COUNTRY',
    walletId: 'INVALID_WALLET_ID',
    narration: 'TOO_LONG',
    recipientName: 'INVALID_TEXT',
    walletID: 'UNKNOWN_FIELD',
  });
});

it('names every missing field of both create operations', async () => {
  const required = (names: string) =>
    Object.fromEntries(names.split(' ').map((name) => [name, 'REQUIRED']));
  assert.deepEqual(
    brokenFields(await api.post(TRANSFERS, {})),
    required('amount reference phone operator country walletId'),
  );
  const recipient = required('phone operator country');
  assert.deepEqual(brokenFields(await api.post(RECIPIENTS, {})), recipient);
  assert.deepEqual(brokenFields(await api.post('resolve/mobile-money', {})), recipient);
});

it('never echoes a raw value', async () => {
  const canary = 'Canary7f3a91';
  const values = ['amount', 'reference', 'phone', 'operator', 'country', 'walletId', 'other'];
  for (const field of [...values, 'narration', 'recipientName']) {
    const answer = await api.post(TRANSFERS, order({ [field]: `${canary}\u0007`.repeat(20) }));
    assertRefused(answer, 400, 'VALIDATION_ERROR', field);
    assert.ok(!answer.text.includes(canary), answer.text);
  }
  for (const path of [
    `transfers/${canary}`,
    canary,
    `transfers?limit=${canary}`,
    `wallets/${canary}`,
  ]) {
    const answer = await api.get(path);
    assert.ok(answer.status >= 400);
    assert.ok(!answer.text.includes(canary), answer.text);
  }
  const broken = await api.post(TRANSFERS, `{"amount": ${canary}}`);
  assert.ok(!broken.text.includes(canary), broken.text);
});

it('gives each request an id of its own, not the one that the client sends', async () => {
  const answers = [await api.get('wallets'), await api.get('wallets'), await api.get('nothing')];
  assert.equal(new Set(answers.map(({ headers }) => headers['x-request-id'])).size, 3);
  const forged = await api.get('nothing', { 'x-request-id': '"}<script>' });
  assert.doesNotMatch(String(forged.headers['x-request-id']), /script/);
});
