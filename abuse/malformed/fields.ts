import { API } from '../attacker/write-request.ts';
import {
  type Kind,
  randomLetters,
  type Source,
  send,
  transferFields,
  writeObject,
} from './kind.ts';

type Choices = readonly [string, ...string[]];

const NO_TEXT = ['null', '1', 'true', '[]', '{}', '""'] as const;
const BAD_TEXTS = [
  '"\\u0000"',
  '"a\\u202eb"',
  '"\\u0007"',
  `"${'x'.repeat(101)}"`,
  '1',
  '[]',
  '{}',
  'true',
] as const;
const BAD_PHONES = [
  ...NO_TEXT,
  '"0"',
  '"09774335711234567"',
  '"+44 7700 900123"',
  '"０９７７４３３５７１"',
  '"0977-abc-571"',
  '"260211222333"',
  '"\' or 1=1"',
] as const;

/** A valid transfer except for one field. */
function transferWith(field: string, choices: Choices): Kind {
  return {
    name: `transfer: ${field}`,
    make: (source) =>
      send(
        source,
        writeObject({ ...transferFields(source), [field]: source.random.pick(choices) }),
      ),
  };
}

function without(fields: Readonly<Record<string, string>>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
}

/** Another call than the transfer, with one of these bodies. */
function calls(
  name: string,
  path: string,
  make: (source: Source) => string,
  method = 'POST',
): Kind {
  return { name, make: (source) => send(source, make(source), { path: API + path, method }) };
}

/** Invalid values of every field of the API. */
export const FIELDS: readonly Kind[] = [
  transferWith('amount', [
    '0',
    '-1',
    '0.001',
    '10.001',
    '1000000000.01',
    '"10"',
    'null',
    '[]',
    '{}',
    'true',
    '1e-7',
    '1e21',
    '-0',
    '0.0',
  ]),
  transferWith('reference', [
    ...NO_TEXT,
    `"${'r'.repeat(101)}"`,
    '"a b"',
    '"a/b"',
    '"\\u0000"',
    '"é"',
    '"a\\nb"',
    '" "',
  ]),
  transferWith('phone', BAD_PHONES),
  transferWith('operator', [...NO_TEXT, '"MTN"', '"orange"', '"airtel "', '"constructor"']),
  transferWith('country', [...NO_TEXT, '"ZM"', '"xx"', '"zmb"', '"__proto__"']),
  transferWith('walletId', [
    ...NO_TEXT,
    '"x"',
    '"00000000-0000-0000-0000-000000000000"',
    '"{00000000}"',
    '"\' or 1=1 --"',
  ]),
  transferWith('narration', BAD_TEXTS),
  transferWith('recipientName', BAD_TEXTS),
  transferWith('unknownField', ['1', '"x"', 'null', '{}']),
  transferWith('walletID', ['"x"']),
  {
    name: 'transfer: a field missing',
    make: (source) => {
      const missing = source.random.pick([
        'amount',
        'reference',
        'phone',
        'operator',
        'country',
        'walletId',
      ]);
      return send(source, writeObject(without(transferFields(source), missing)));
    },
  },
  {
    name: 'transfer: a thousand unknown fields',
    make: (source) =>
      send(
        source,
        writeObject({
          ...transferFields(source),
          ...Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`f${n}`, '0'])),
        }),
      ),
  },
  calls('bulk: no list', '/transfers/mobile-money/bulk', ({ random }) =>
    random.pick([
      '{}',
      '{"transfers":null}',
      '{"transfers":{}}',
      '{"transfers":[]}',
      '{"transfers":"x"}',
      '{"x":[]}',
    ]),
  ),
  {
    // The call is answered with 200, and each item with its own refusal.
    mayAccept: true,
    ...calls('bulk: items that are none', '/transfers/mobile-money/bulk', ({ random }) => {
      const items = Array.from({ length: random.between(1, 200) }, () =>
        random.pick(['0', '{}', 'null', '[]', '"x"']),
      );
      return `{"transfers":[${items.join(',')}]}`;
    }),
  },
  calls(
    'bulk: 1,001 items',
    '/transfers/mobile-money/bulk',
    () => `{"transfers":[${Array.from({ length: 1_001 }, () => '{}').join(',')}]}`,
  ),
  calls('recipient: broken fields', '/transfer-recipients/mobile-money', ({ random }) =>
    writeObject({
      phone: random.pick(BAD_PHONES),
      operator: random.pick(['"airtel"', '"x"', '1']),
      country: random.pick(['"zm"', '"x"', 'null']),
      accountName: random.pick(['"Ann"', ...BAD_TEXTS]),
    }),
  ),
  calls('name question: broken fields', '/resolve/mobile-money', ({ random }) =>
    writeObject({ phone: random.pick(BAD_PHONES), operator: '"airtel"', country: '"zm"' }),
  ),
  calls('webhook: addresses that are none', '/webhooks', ({ random }) =>
    writeObject({
      url: random.pick([
        ...NO_TEXT,
        '"http://example.com/x"',
        '"https://127.0.0.1/x"',
        '"https://[::1]/x"',
        '"https://localhost/"',
        '"https://169.254.169.254/latest"',
        '"https://user:pass@example.com/"',
        '"https://example.com:22/"',
        '"file:///etc/passwd"',
        '"javascript:alert(1)"',
        `"https://example.com/${'x'.repeat(2_001)}"`,
        '"https://0x7f000001/"',
        '"https://example.com/#x"',
        '"https://"',
      ]),
    }),
  ),
  calls('webhook: events that are none', '/webhooks', ({ random }) =>
    writeObject({
      url: '"https://example.com/x"',
      events: random.pick([
        '"all"',
        '["x"]',
        '[1]',
        '{}',
        '["transfer.created","transfer.created"]',
      ]),
    }),
  ),
  calls(
    'webhook: change of one that is none',
    '/webhooks/00000000-0000-4000-8000-000000000000',
    ({ random }) => random.pick(['{}', '{"status":"x"}', '{"url":1}', '{"secret":"x"}', '[]']),
    'PATCH',
  ),
  calls(
    'cancellation of one that is none',
    '/transfers/00000000-0000-4000-8000-000000000000/cancel',
    ({ random }) => random.pick(['{}', '{"force":true}', '[]', 'x']),
  ),
  calls('replay of one that is none', '/webhooks/deliveries/1/replay', ({ random }) =>
    random.pick(['{}', 'null', `{"${randomLetters(random, 70)}":1}`]),
  ),
];
