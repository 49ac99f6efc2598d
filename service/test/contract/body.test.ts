import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { assertRefused, brokenFields, errorCode, readTransfer } from './api-client.ts';
import { newReference, openContract, RECIPIENTS, TRANSFERS } from './open-contract.ts';

const BODY_BYTES_MAX = 16 * 1024;
const DEEP = 5_000;
const contract = await openContract();
after(() => contract.close());
const { api, order } = contract;

/** The text of a valid order with `first` inserted after its opening brace. */
const textWith = (first: string) => `{${first},${JSON.stringify(order()).slice(1)}`;

const notJson: Readonly<Record<string, string | Buffer>> = {
  nothing: '',
  'only space': ' \n ',
  'an open object': '{"amount": 1',
  'single quotes': "{'amount': 1}",
  'a trailing comma': `${JSON.stringify(order()).slice(0, -1)},}`,
  'a comment': `/* */${JSON.stringify(order())}`,
  'two objects': JSON.stringify(order()).repeat(2),
  'something after the object': `${JSON.stringify(order())}x`,
  'a raw control character': textWith('"narration":"a\u0001b"'),
  'a byte order mark': `\ufeff${JSON.stringify(order())}`,
  'invalid UTF-8': Buffer.from(textWith('"narration":"caf\u00e9"'), 'latin1'),
  'an overlong UTF-8 form': Buffer.concat([
    Buffer.from('{"narration":"'),
    Buffer.from([0xc0, 0xaf]),
    Buffer.from(`",${JSON.stringify(order()).slice(1)}`),
  ]),
  'UTF-16': Buffer.from(JSON.stringify(order()), 'utf16le'),
  'a number with a leading zero': textWith('"narration":01'),
  NaN: textWith('"narration":NaN'),
  'a bad escape': textWith('"narration":"\\x41"'),
};

for (const [what, body] of Object.entries(notJson)) {
  it(`refuses ${what} as INVALID_JSON`, async () => {
    assertRefused(await api.post(TRANSFERS, body), 400, 'INVALID_JSON');
  });
}

it('refuses a body that is not one object', async () => {
  for (const body of ['[]', 'null', 'true', '1', '"text"', `[${JSON.stringify(order())}]`]) {
    for (const path of [TRANSFERS, RECIPIENTS, 'resolve/mobile-money']) {
      const answer = await api.post(path, body);
      assert.equal(answer.status, 400, `${body} ${answer.text}`);
      assert.match(errorCode(answer), /^(INVALID_JSON|VALIDATION_ERROR)$/);
    }
  }
});

it('refuses a field that is given twice, also when its name is spelled by escapes', async () => {
  for (const twice of ['"amount":2', '"\\u0061mount":2', '"narration":"a","narration":"a"']) {
    assertRefused(await api.post(TRANSFERS, textWith(twice)), 400, 'INVALID_JSON', twice);
  }
});

it('refuses deep nesting at once', async () => {
  const nested = (open: string, close: string) =>
    textWith(`"narration":${open.repeat(DEEP)}1${close.repeat(DEEP)}`);
  const bodies = [nested('[', ']'), '['.repeat(DEEP), '{"a":'.repeat(DEEP / 5)];
  for (const body of bodies) {
    const answer = await api.post(TRANSFERS, body);
    assert.equal(answer.status, 400, answer.text);
  }
});

it('refuses unknown fields by name, also those with a special meaning in JavaScript', async () => {
  const names = ['walletID', 'fee', 'status', 'mode', 'merchantId', '__proto__', 'constructor', ''];
  for (const name of names) {
    const answer = await api.post(TRANSFERS, textWith(`${JSON.stringify(name)}:1`));
    assertRefused(answer, 400, 'VALIDATION_ERROR', name);
    assert.deepEqual(Object.entries(brokenFields(answer)), [[name, 'UNKNOWN_FIELD']], name);
  }
  const recipient = { phone: '0977433571', operator: 'mtn', country: 'zm' };
  const answer = await api.post(RECIPIENTS, { ...recipient, recipientName: 'A' });
  assert.deepEqual(brokenFields(answer), { recipientName: 'UNKNOWN_FIELD' });
});

it('refuses lists and objects in place of a value', async () => {
  const codes = {
    amount: 'INVALID_AMOUNT',
    reference: 'INVALID_REFERENCE',
    phone: 'INVALID_PHONE',
    operator: 'INVALID_OPERATOR',
    country: 'INVALID_COUNTRY',
    walletId: 'INVALID_WALLET_ID',
    narration: 'INVALID_TEXT',
    recipientName: 'INVALID_TEXT',
  };
  for (const [field, code] of Object.entries(codes)) {
    for (const value of [[], ['a'], {}, { toString: 'a' }, true]) {
      const answer = await api.post(TRANSFERS, order({ [field]: value }));
      assertRefused(answer, 400, 'VALIDATION_ERROR', `${field} ${JSON.stringify(value)}`);
      assert.deepEqual(brokenFields(answer), { [field]: code });
    }
  }
});

it('accepts a body of exactly 16 KiB and refuses one byte more, also chunked', async () => {
  const largest = JSON.stringify(order()).padEnd(BODY_BYTES_MAX, ' ');
  assert.equal((await api.post(TRANSFERS, largest)).status, 201);
  const reference = newReference();
  const larger = JSON.stringify(order({ reference })).padEnd(BODY_BYTES_MAX + 1, ' ');
  assertRefused(await api.post(TRANSFERS, larger), 413, 'BODY_TOO_LARGE');
  const chunked = { 'transfer-encoding': 'chunked' };
  assertRefused(await api.post(TRANSFERS, larger, chunked), 413, 'BODY_TOO_LARGE');
  assert.equal((await api.get(`transfers/status/${reference}`)).status, 404);
});

it('accepts application/json in any case, with a charset of utf-8 or none', async () => {
  const types = [
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
  ];
  for (const type of types) {
    const answer = await api.post(TRANSFERS, order(), { 'content-type': type });
    assert.equal(answer.status, 201, `${type} ${answer.text}`);
  }
});

it('refuses every other content type, and none', async () => {
  const types = [
    'text/plain',
    'text/json',
    'application/jsonp',
    'application/json-patch+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
  ];
  const body = JSON.stringify(order());
  for (const type of types) {
    const answer = await api.post(TRANSFERS, body, { 'content-type': type });
    assertRefused(answer, 415, 'UNSUPPORTED_MEDIA_TYPE', type);
  }
  const untyped = await api.send({ method: 'POST', path: TRANSFERS, body });
  assertRefused(untyped, 415, 'UNSUPPORTED_MEDIA_TYPE');
});

it('refuses compressed bodies without decompressing them', async () => {
  const packed = gzipSync(JSON.stringify(order()));
  for (const encoding of ['gzip', 'br', 'deflate', 'GZIP', 'identity, gzip']) {
    const answer = await api.post(TRANSFERS, packed, { 'content-encoding': encoding });
    assertRefused(answer, 415, 'UNSUPPORTED_MEDIA_TYPE', encoding);
  }
});

it('stored none of the refused orders', async () => {
  const { data } = await api.get('transfers?limit=100');
  assert.ok(Array.isArray(data.items));
  // Five content types and the largest body were the only valid orders so far.
  assert.equal(data.items.length, 6);
});

const accepted = [
  "O'Brien",
  '"quoted" \\ back',
  'a',
  'x'.repeat(100),
  '😀'.repeat(100),
  'é'.repeat(100),
  'Zoë Müller-Ngũgĩ',
  '陈大文',
  'أحمد',
  '=1+1',
  "'; drop table transfers; --",
  '<img src=x onerror=alert(1)>',
  '%s %n ${x} {{x}}',
];

const tooLong = ['x'.repeat(101), '😀'.repeat(101), 'x'.repeat(10_000)];

/** Written into the body as escapes, because UTF-8 text cannot contain some of them. */
const refusedEscapes = Object.values({
  control: [
    '\\u0000',
    '\\u0001',
    '\\t',
    '\\n',
    '\\r',
    '\\u001b[31m',
    '\\u007f',
    '\\u0085',
    '\\u009f',
  ],
  loneSurrogate: ['\\ud800', '\\udc00', '\\udc00\\ud800', '\\ud83d', '\\ud83dx'],
  override: ['\\u202a', '\\u202d', '\\u202e', '\\u2066', '\\u2067', '\\u2068'],
}).flat();

for (const field of ['narration', 'recipientName']) {
  it(`stores ${field} unchanged, up to 100 code points`, async () => {
    for (const text of accepted) {
      const answer = await api.post(TRANSFERS, order({ [field]: text }));
      assert.equal(answer.status, 201, `${text} ${answer.text}`);
      const { id } = readTransfer(answer.data);
      const stored: Readonly<Record<string, unknown>> = await contract.transfer(id);
      assert.equal(stored[field], text);
    }
  });

  it(`refuses a ${field} of more than 100 code points`, async () => {
    for (const text of tooLong) {
      const answer = await api.post(TRANSFERS, order({ [field]: text }));
      assertRefused(answer, 400, 'VALIDATION_ERROR');
      assert.deepEqual(brokenFields(answer), { [field]: 'TOO_LONG' });
    }
  });

  it(`refuses control characters, lone surrogates and overrides in ${field}`, async () => {
    for (const escape of refusedEscapes) {
      const body = `{"${field}":"a${escape}b",${JSON.stringify(order()).slice(1)}`;
      const answer = await api.post(TRANSFERS, body);
      assertRefused(answer, 400, 'VALIDATION_ERROR', escape);
      assert.deepEqual(brokenFields(answer), { [field]: 'INVALID_TEXT' }, escape);
    }
  });
}

it('reads the account name of a recipient by the same rules', async () => {
  const recipient = { phone: '0977433571', operator: 'mtn', country: 'zm' };
  for (const text of tooLong) {
    const answer = await api.post(RECIPIENTS, { ...recipient, accountName: text });
    assert.deepEqual(brokenFields(answer), { accountName: 'TOO_LONG' });
  }
  for (const escape of refusedEscapes) {
    const body = `{"accountName":"a${escape}b",${JSON.stringify(recipient).slice(1)}`;
    const answer = await api.post(RECIPIENTS, body);
    assertRefused(answer, 400, 'VALIDATION_ERROR', escape);
    assert.deepEqual(brokenFields(answer), { accountName: 'INVALID_TEXT' }, escape);
  }
  const emoji = await api.post(RECIPIENTS, { ...recipient, accountName: '😀'.repeat(100) });
  assert.equal(emoji.status, 201, emoji.text);
  assert.equal(emoji.data.suppliedAccountName, '😀'.repeat(100));
});

it('reads a surrogate pair written as escapes as its character', async () => {
  const body = `{"narration":"\\ud83d\\ude00",${JSON.stringify(order()).slice(1)}`;
  const answer = await api.post(TRANSFERS, body);
  assert.equal(answer.status, 201, answer.text);
  assert.equal(readTransfer(answer.data).narration, '😀');
});
