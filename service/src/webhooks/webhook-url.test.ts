import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkWebhookUrl, WEBHOOK_URL_LENGTH_MAX, type WebhookUrlRules } from './webhook-url.ts';

const LIVE: WebhookUrlRules = { mode: 'live', toLoopback: [] };
const LOOPBACK: WebhookUrlRules = { mode: 'test', toLoopback: ['test'] };

const accepted = (texts: readonly string[], rules = LIVE) =>
  texts.filter((text) => checkWebhookUrl(text, rules) !== undefined);

const PUBLIC = [
  'https://example.com/hook',
  'https://example.com',
  'https://Hooks.Example.com:443/a/b?c=d&e',
  'https://hooks.example.co.zm:8443/kafue',
  'https://bücher.example/hook',
  'https://a-1.b2.example.africa/',
  'https://example.com/with/@/and/127.0.0.1',
];

/** Hosts that mean this machine, its network or nothing at all. */
const INSIDE_HOSTS = [
  ['127.0.0.1', '127.1', '0x7f.1', '0x7f000001', '2130706433', '0177.0.0.1', '017700000001'],
  ['0', '0.0.0.0', '127.0.0.1.', '１２７.０.０.１', '127。0。0。1', '①②⑦.⓪.⓪.①', '%31%32%37.0.0.1'],
  [
    'localhost',
    'LOCALHOST',
    'localhost.',
    'ⓛocalhost',
    'ｌｏｃａｌｈｏｓｔ',
    'loc\u00adalhost',
    'foo.localhost',
  ],
  ['[::1]', '[::]', '[::ffff:7f00:1]', '[::ffff:127.0.0.1]', '[::127.0.0.1]', '[fd00::1]'],
  ['[fe80::1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[2606:4700:4700::1111]'],
  ['10.0.0.1', '192.168.1.1', '169.254.169.254', '0xa9fea9fe', '2852039166', '8.8.8.8', '1.1'],
  ['metadata', 'metadata.google.internal', 'instance-data.ec2.internal', 'printer.local', 'db'],
  ['kubernetes.default.svc', 'api.default.svc.cluster.local', 'vault.service.consul', 'nas.lan'],
  ['router.home.arpa', '1.0.0.127.in-addr.arpa', 'wiki.corp', 'x.intranet', 'x.onion'],
  ['127.0.0.1.nip.io', '10-0-0-1.sslip.io', 'localtest.me', 'a.lvh.me', 'example.com.'],
  [
    'example',
    '-a.example.com',
    'a-.example.com',
    'a_b.example.com',
    'example.123',
    'a..example.com',
  ],
].flat();

describe('the URL of a webhook', () => {
  it('is https to a public name', () => {
    assert.deepEqual(accepted(PUBLIC), PUBLIC);
    assert.equal(checkWebhookUrl('https://EXAMPLE.com', LIVE)?.href, 'https://example.com/');
  });

  it('refuses internal hosts, however they are written', () => {
    const urls = INSIDE_HOSTS.flatMap((host) => [
      `https://${host}/hook`,
      `https://${host}:8443/`,
      `http://${host}/`,
    ]);
    assert.deepEqual(accepted(urls), []);
    assert.deepEqual(accepted(urls, { mode: 'test', toLoopback: [] }), []);
    assert.deepEqual(accepted(urls, { mode: 'live', toLoopback: ['test'] }), []);
  });

  it('has no credentials, no fragment, no other port, scheme or invisible character', () => {
    const refused = [
      'http://example.com/',
      'ftp://example.com/',
      'file:///etc/passwd',
      'data:text/plain,hello',
      'javascript:alert(1)',
      'gopher://example.com/',
      'https://user@example.com/',
      'https://user:pass@example.com/',
      'https://:pass@example.com/',
      'https://example.com@127.0.0.1/',
      'https://example.com/#top',
      'https://example.com/#',
      'https://example.com:22/',
      'https://example.com:80/',
      'https://example.com:0/',
      'https://example.com:65536/',
      'https://example.com\\@127.0.0.1/',
      'https:\\\\example.com/',
      ' https://example.com/',
      'https://example.com/ ',
      'https://exam\nple.com/',
      'https://exam\tple.com/',
      'https://example.com/\u0000',
      'https://example.com/\u202e',
      '//example.com/',
      'example.com',
      'https://',
      'https:///',
      '',
    ];
    assert.deepEqual(accepted(refused), []);
    assert.deepEqual(accepted(refused, LOOPBACK), []);
  });

  it('has a maximum length, also after encoding', () => {
    const long = (path: string) => `https://example.com/${path}`;
    const room = WEBHOOK_URL_LENGTH_MAX - long('').length;
    assert.ok(checkWebhookUrl(long('a'.repeat(room)), LIVE) !== undefined);
    assert.equal(checkWebhookUrl(long('a'.repeat(room + 1)), LIVE), undefined);
    assert.equal(checkWebhookUrl(long('é'.repeat(room)), LIVE), undefined);
  });

  it('may be http to loopback on any port, for the books for which that is enabled', () => {
    const loopback = [
      'http://127.0.0.1:9000/hook',
      'http://localhost:9000/hook',
      'http://[::1]:9000/',
      'https://localhost/',
      'http://127.9.9.9/',
    ];
    assert.deepEqual(accepted(loopback, LOOPBACK), loopback);
    assert.deepEqual(accepted(loopback, { mode: 'test', toLoopback: [] }), []);
    assert.deepEqual(accepted(loopback, { mode: 'live', toLoopback: ['test'] }), []);
    const rehearsal = { mode: 'live', toLoopback: ['test', 'live'] } as const;
    assert.deepEqual(accepted(loopback, rehearsal), loopback);
    const elsewhere = [
      'http://10.0.0.1:9000/',
      'http://0.0.0.0/',
      'http://[::]/',
      'http://a.localhost/',
    ];
    assert.deepEqual(
      accepted([...elsewhere, 'ftp://localhost/', 'http://example.com/'], LOOPBACK),
      [],
    );
    assert.deepEqual(accepted(PUBLIC, LOOPBACK), PUBLIC);
  });
});
