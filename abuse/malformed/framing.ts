import { type Kind, randomLetters, raw, type Source, TRANSFERS } from './kind.ts';

/** If this is ever answered, two parties could disagree about where the first request ended. */
const HIDDEN = 'GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

function post({ target }: Source, headers: readonly string[], body: string): Buffer {
  const head = [
    `POST ${TRANSFERS} HTTP/1.1`,
    'Host: 127.0.0.1',
    `x-api-key: ${target.attackerKey}`,
    'content-type: application/json',
  ];
  return raw([...head, ...headers], body);
}

function chunked(source: Source, body: string): Buffer {
  return post(source, ['transfer-encoding: chunked'], body);
}

/** Ambiguities about where a body ends, as used in request smuggling. */
export const FRAMING: readonly Kind[] = [
  {
    name: 'both length and chunks',
    answersMax: 1,
    make: (source) =>
      post(source, ['content-length: 6', 'transfer-encoding: chunked'], `0\r\n\r\n${HIDDEN}`),
  },
  {
    name: 'both chunks and length',
    answersMax: 1,
    make: (source) =>
      post(source, ['transfer-encoding: chunked', 'content-length: 4'], `0\r\n\r\n${HIDDEN}`),
  },
  {
    name: 'gzip, chunked',
    make: ({ target }) =>
      raw(
        [
          'GET /api/v1/payments/wallets HTTP/1.1',
          'Host: 127.0.0.1',
          `x-api-key: ${target.attackerKey}`,
          'transfer-encoding: gzip, chunked',
        ],
        '2\r\n{}\r\n0\r\n\r\n',
      ),
  },
  {
    name: 'chunked, then another coding',
    answersMax: 1,
    make: (source) => post(source, ['transfer-encoding: chunked, gzip'], `0\r\n\r\n${HIDDEN}`),
  },
  {
    name: 'disguised chunks',
    answersMax: 1,
    make: (source) =>
      post(
        source,
        [
          'content-length: 5',
          source.random.pick([
            'transfer-encoding: xchunked',
            'transfer-encoding : chunked',
            'transfer-encoding:\u000bchunked',
            'transfer-encoding: "chunked"',
            'transfer-encoding: chunked\r\ntransfer-encoding: x',
            'transfer-encoding:\r\n chunked',
          ]),
        ],
        `0\r\n\r\n${HIDDEN}`,
      ),
  },
  {
    name: 'two lengths',
    answersMax: 1,
    make: (source) => post(source, ['content-length: 2', 'content-length: 40'], `{}${HIDDEN}`),
  },
  {
    name: 'list of lengths',
    answersMax: 1,
    make: (source) => post(source, ['content-length: 2, 40'], `{}${HIDDEN}`),
  },
  {
    name: 'length that is no number',
    answersMax: 1,
    make: (source) =>
      post(
        source,
        [
          `content-length: ${source.random.pick(['-1', '+2', '0x2', '2.0', '2 2', 'two', '', '1e1'])}`,
        ],
        `{}${HIDDEN}`,
      ),
  },
  {
    name: 'length beyond any number',
    make: (source) =>
      post(source, [`content-length: ${'9'.repeat(source.random.between(17, 400))}`], '{}'),
  },
  {
    name: 'length too large',
    make: (source) => post(source, ['content-length: 16385'], ' '.repeat(16_385)),
  },
  { name: 'body that ends early', make: (source) => post(source, ['content-length: 500'], '{"am') },
  {
    name: 'chunk size that is no number',
    make: (source) =>
      chunked(
        source,
        `${source.random.pick(['g', '-1', '0x2', '+2', ' 2', '', '1_0'])}\r\n{}\r\n0\r\n\r\n`,
      ),
  },
  {
    name: 'chunk size beyond any number',
    make: (source) =>
      chunked(source, `${'f'.repeat(source.random.between(16, 60))}\r\n{}\r\n0\r\n\r\n`),
  },
  {
    name: 'endless chunk extension',
    make: (source) =>
      chunked(
        source,
        `2;${randomLetters(source.random, source.random.between(10_000, 40_000))}\r\n{}\r\n0\r\n\r\n`,
      ),
  },
  {
    name: 'bare LF between chunks',
    answersMax: 1,
    make: (source) => chunked(source, `2\n{}\n0\n\n${HIDDEN}`),
  },
  {
    name: 'chunk longer than it says',
    make: (source) => chunked(source, '2\r\n{"amount":1}\r\n0\r\n\r\n'),
  },
  {
    name: 'too many trailers',
    make: (source) =>
      chunked(
        source,
        `2\r\n{}\r\n0\r\n${'x-trailer: 1\r\n'.repeat(source.random.between(200, 3_000))}\r\n`,
      ),
  },
  {
    name: 'forbidden trailers',
    make: (source) =>
      chunked(source, '2\r\n{}\r\n0\r\ncontent-length: 3\r\nx-api-key: x\r\nhost: y\r\n\r\n'),
  },
  {
    name: 'too large in chunks',
    make: (source) => chunked(source, `${`4000\r\n${' '.repeat(0x4000)}\r\n`.repeat(3)}0\r\n\r\n`),
  },
  {
    name: 'question with a body',
    mayAccept: true,
    make: ({ target }) =>
      raw(
        [
          'GET /api/v1/payments/wallets HTTP/1.1',
          'Host: 127.0.0.1',
          `x-api-key: ${target.attackerKey}`,
          'content-length: 40',
        ],
        'x'.repeat(40),
      ),
  },
];
