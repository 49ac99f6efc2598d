import { ask, type Kind, randomLetters, raw } from './kind.ts';

const HOST = 'Host: 127.0.0.1';
const LIVE = '/health/live';

/** Request lines that no valid client sends. */
export const REQUEST_LINES: readonly Kind[] = [
  { name: 'method in small letters', make: () => raw([`get ${LIVE} HTTP/1.1`, HOST]) },
  {
    name: 'unknown method',
    make: ({ random }) =>
      raw([`${randomLetters(random, 8).toUpperCase()} /api/v1/x HTTP/1.1`, HOST]),
  },
  {
    name: 'endless method',
    make: ({ random }) =>
      raw([`${'A'.repeat(random.between(5_000, 20_000))} /api/v1/x HTTP/1.1`, HOST]),
  },
  { name: 'no version', make: () => raw([`GET ${LIVE}`, HOST]) },
  {
    name: 'HTTP/0.9',
    make: ({ random }) => raw([`GET ${LIVE}${random.pick(['', ' HTTP/0.9'])}`]),
  },
  {
    name: 'wrong version',
    make: ({ random }) =>
      raw([`GET ${LIVE} HTTP/${random.pick(['1.2', '2.0', '3', '1.1.1', '9.9', 'x'])}`, HOST]),
  },
  { name: 'HTTP/2 preface', make: () => Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n') },
  { name: 'two spaces', mayAccept: true, make: () => raw([`GET  ${LIVE}  HTTP/1.1`, HOST]) },
  { name: 'tabs for spaces', make: () => raw([`GET\t${LIVE}\tHTTP/1.1`, HOST]) },
  {
    name: 'absolute form',
    mayAccept: true,
    make: ({ random, target }) =>
      raw([
        `GET ${random.pick(['http://evil.example', 'HTTPS://x:1', 'http://'])}/api/v1/payments/wallets HTTP/1.1`,
        HOST,
        `x-api-key: ${target.attackerKey}`,
      ]),
  },
  {
    name: 'other schemes',
    make: ({ random }) =>
      raw([`GET ${random.pick(['ftp://x/', 'file:///etc/passwd', 'x:'])} HTTP/1.1`, HOST]),
  },
  { name: 'CONNECT', make: () => raw(['CONNECT 127.0.0.1:22 HTTP/1.1', HOST]) },
  {
    name: 'asterisk',
    make: ({ random }) => raw([`${random.pick(['OPTIONS', 'GET', 'POST'])} * HTTP/1.1`, HOST]),
  },
  {
    name: 'overlong target',
    make: ({ random }) =>
      raw([`GET /api/v1/${'a'.repeat(random.between(8_000, 60_000))} HTTP/1.1`, HOST]),
  },
  {
    name: 'empty lines first',
    mayAccept: true,
    make: (source) =>
      Buffer.concat([Buffer.from('\r\n'.repeat(source.random.between(1, 50))), ask(source)]),
  },
  { name: 'NUL in the target', make: () => raw([`GET /api/v1/\0 HTTP/1.1`, HOST]) },
  {
    name: 'TLS on a plain port',
    make: ({ random }) =>
      Buffer.from([
        0x16,
        0x03,
        0x01,
        0x02,
        0x00,
        0x01,
        ...Array.from({ length: 200 }, () => random.between(0, 255)),
      ]),
  },
  {
    name: 'random bytes',
    make: ({ random }) =>
      Buffer.from(Array.from({ length: random.between(1, 2_000) }, () => random.between(0, 255))),
  },
  {
    name: 'method not allowed',
    make: ({ random, target }) =>
      raw([
        `${random.pick(['PUT', 'DELETE', 'TRACE', 'PATCH', 'QUERY', 'PROPFIND'])} /api/v1/payments/transfers/mobile-money HTTP/1.1`,
        HOST,
        `x-api-key: ${target.attackerKey}`,
      ]),
  },
];
