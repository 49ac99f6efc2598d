import { ask, type Kind, randomLetters, raw, send } from './kind.ts';

const WALLETS = 'GET /api/v1/payments/wallets HTTP/1.1';
const HOST = 'Host: 127.0.0.1';

/** Header fields that are forbidden, ambiguous or too many. */
export const HEADERS: readonly Kind[] = [
  { name: 'two Host', make: (source) => ask(source, ['Host: evil.example']) },
  {
    name: 'no Host',
    make: ({ target }) => raw([WALLETS, `x-api-key: ${target.attackerKey}`]),
  },
  {
    name: 'odd Host',
    mayAccept: true,
    make: ({ random, target }) =>
      raw([
        WALLETS,
        `Host: ${random.pick(['', 'a b', 'x@y', '[::1', '127.0.0.1:99999', '../..', '%00'])}`,
        `x-api-key: ${target.attackerKey}`,
      ]),
  },
  { name: 'folded line', make: (source) => ask(source, ['X-Folded: a', ' b', '\tc']) },
  { name: 'NUL in a value', make: (source) => ask(source, ['X-Nul: a\0b']) },
  { name: 'bare CR in a value', make: (source) => ask(source, ['X-Cr: a\rb']) },
  {
    name: 'bare LF for line ends',
    make: ({ target }) => Buffer.from(`${WALLETS}\n${HOST}\nx-api-key: ${target.attackerKey}\n\n`),
  },
  { name: 'bare LF in a value', make: (source) => ask(source, ['X-Lf: a\nx-more: b']) },
  {
    name: 'one huge header',
    make: (source) =>
      ask(source, [`X-Huge: ${'h'.repeat(source.random.between(17_000, 200_000))}`]),
  },
  {
    name: '101 headers or more',
    make: (source) =>
      ask(
        source,
        Array.from({ length: source.random.between(101, 900) }, (_, index) => `x-${index}: 1`),
      ),
  },
  { name: 'no colon', make: (source) => ask(source, [randomLetters(source.random, 30)]) },
  { name: 'space before the colon', make: (source) => ask(source, ['X-Space : 1']) },
  { name: 'empty name', make: (source) => ask(source, [': 1']) },
  { name: 'name in other letters', make: (source) => ask(source, ['X-\u00c4: 1']) },
  {
    name: 'Upgrade',
    mayAccept: true,
    make: (source) =>
      ask(source, [
        'Connection: Upgrade',
        `Upgrade: ${source.random.pick(['websocket', 'h2c', 'TLS/1.2', 'x'])}`,
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        'Sec-WebSocket-Version: 13',
        'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
      ]),
  },
  {
    name: 'unknown expectation',
    mayAccept: true,
    make: (source) => ask(source, ['Expect: 200-ok']),
  },
  {
    name: 'body announced and never sent',
    make: ({ target }) =>
      raw([
        'POST /api/v1/payments/transfers/mobile-money HTTP/1.1',
        HOST,
        `x-api-key: ${target.attackerKey}`,
        'content-type: application/json',
        'Expect: 100-continue',
        'content-length: 300',
      ]),
  },
  {
    name: 'two keys',
    make: (source) => ask(source, [`X-API-KEY: ${source.target.attackerKey}`]),
  },
  {
    name: 'rubbish for a key',
    make: ({ random }) =>
      raw([
        WALLETS,
        HOST,
        `x-api-key: ${random.pick(['', 'sk_test_', 'sk_live_x', "' or 1=1 --", '\u00e9', 'null', 'a'.repeat(9_000)])}`,
      ]),
  },
  {
    name: 'odd Connection',
    mayAccept: true,
    make: (source) =>
      ask(source, [
        `Connection: ${source.random.pick(['close, close', 'x-api-key', 'host', ','])}`,
      ]),
  },
  {
    name: 'proxy headers',
    mayAccept: true,
    make: (source) =>
      ask(source, [
        'X-Forwarded-For: 10.0.0.1, unknown, "',
        'X-Forwarded-Host: evil.example',
        'Forwarded: for="_x";proto=https',
        'X-HTTP-Method-Override: DELETE',
        'X-Original-URL: /metrics',
      ]),
  },
  {
    name: 'broken idempotency key',
    make: (source) =>
      send(source, '{"amount":"1"}', {
        headers: [
          'content-type: application/json',
          `idempotency-key: ${source.random.pick(['', 'k'.repeat(256), '\u00e9', '\t', 'a\u007fb'])}`,
        ],
      }),
  },
  {
    name: 'two idempotency keys',
    make: (source) =>
      send(source, '{"amount":"1"}', {
        headers: ['content-type: application/json', 'idempotency-key: a', 'idempotency-key: b'],
      }),
  },
];
