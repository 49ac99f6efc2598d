import { API, writeRequest } from '../attacker/write-request.ts';
import { ask, type Kind, randomLetters, raw } from './kind.ts';

function odd(name: string, choices: readonly [string, ...string[]]): Kind {
  return { name, make: (source) => ask(source, [], source.random.pick(choices)) };
}

/** Paths, queries and cursors that do not exist. */
export const PATHS: readonly Kind[] = [
  odd('percent rubbish', ['/transfers/%', '/transfers/%zz', '/transfers/status/%e0%a4', '/%u0041']),
  odd('encoded NUL', ['/transfers/%00', '/transfers/status/a%00b', '/wallets/%00/postings']),
  odd('overlong UTF-8', ['/transfers/status/%c0%af', '/transfers/status/%f8%88%80%80%80']),
  odd('climbing paths', [
    '/../../../etc/passwd',
    '/..;/..;/metrics',
    '/%2e%2e/%2e%2e/metrics',
    '/wallets/..%2f..%2f',
    '/wallets\\..\\..',
  ]),
  odd('doubled slashes', ['//wallets', '/wallets//', '///', '/transfers//history']),
  {
    name: 'overlong parameter',
    make: (source) =>
      ask(
        source,
        [],
        `/transfers/status/${randomLetters(source.random, source.random.between(401, 9_000))}`,
      ),
  },
  {
    name: 'bytes above ASCII in the path',
    make: ({ target }) =>
      raw([
        `GET ${API}/transfers/status/\u00e4\u00ff HTTP/1.1`,
        'Host: 127.0.0.1',
        `x-api-key: ${target.attackerKey}`,
      ]),
  },
  odd('ids that are none', [
    '/transfers/1',
    '/transfers/null',
    '/transfers/00000000-0000-0000-0000-00000000000g',
    '/wallets/undefined',
    '/wallets/0/postings',
    "/transfer-recipients/' or 1=1 --",
    '/webhooks/%20',
  ]),
  {
    name: 'fragment',
    mayAccept: true,
    make: (source) => ask(source, [], source.random.pick(['/wallets#x', '/transfers#?limit=1'])),
  },
  odd('limit that is none', [
    '/transfers?limit=0',
    '/transfers?limit=-1',
    '/events?limit=101',
    '/events?limit=1e2',
    '/transfer-recipients?limit=NaN',
    `/transfers?limit=${'9'.repeat(400)}`,
  ]),
  {
    name: 'cursor that is none',
    make: (source) => {
      const { random } = source;
      const list = random.pick([
        'transfers',
        'events',
        'transfer-recipients',
        'wallets/x/postings',
      ]);
      const cursor = random.pick([
        randomLetters(random, random.between(1, 300)),
        Buffer.from(`v1:transfers:${randomLetters(random, 20)}`).toString('base64url'),
        Buffer.from(`v1 ${random.between(0, 10 ** 12)}`).toString('base64url'),
        '%00',
        '%ff%fe',
        '=',
      ]);
      return ask(source, [], `/${list}?cursor=${cursor}`);
    },
  },
  odd('broken filters', [
    '/transfers?status=paid',
    '/transfers?state=x&operator=MTN&country=ZM',
    '/transfers?from=yesterday&to=2026-13-45',
    '/transfers?from=%2B999999-01-01T00:00:00Z',
    '/transfers?walletId=x',
    '/transfers?reference=%00',
    '/transfer-recipients?phone=abc',
  ]),
  odd('repeated or unknown parameters', [
    '/transfers?limit=1&limit=2',
    '/transfers?__proto__=1&constructor=2',
    '/transfers?limit[]=1',
    '/transfers?%=1&=&&&',
    '/events?after=1',
  ]),
  {
    name: 'a thousand parameters',
    make: (source) =>
      ask(source, [], `/transfers?${Array.from({ length: 1_000 }, (_, n) => `p${n}=1`).join('&')}`),
  },
  {
    name: 'pages with rubbish behind',
    mayAccept: true,
    make: ({ random }) =>
      writeRequest({
        path: random.pick([
          '/docs/../metrics',
          '/docs%00',
          '/openapi.json/',
          '/health/live/x',
          '/metrics?a[b]=%',
        ]),
      }),
  },
];
