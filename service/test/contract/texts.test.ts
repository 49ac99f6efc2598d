import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { assertRefused, brokenFields, readTransfer } from './api-client.ts';
import { openContract, RECIPIENTS, TRANSFERS } from './open-contract.ts';

const contract = await openContract();
after(() => contract.close());
const { api, order } = contract;

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

/** Written into the body as escapes, because some of them no UTF-8 text can hold. */
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
  it(`keeps ${field} as it came, up to 100 code points`, async () => {
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

it('takes a surrogate pair written as escapes for the character it means', async () => {
  const body = `{"narration":"\\ud83d\\ude00",${JSON.stringify(order()).slice(1)}`;
  const answer = await api.post(TRANSFERS, body);
  assert.equal(answer.status, 201, answer.text);
  assert.equal(readTransfer(answer.data).narration, '😀');
});
