import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { routeOf, startServer, VALID_KEY } from '../../../test/http-server.ts';
import { readApiDocuments } from './api-documents.ts';
import { servicePages } from './service-pages.ts';

const route = routeOf({}, async () => ({ status: 200, message: 'Done', data: { word: 'x' } }));

/** To a page of ours, in Markdown or HTML, without its `#place`. */
const LINK = /(?:\]\(|href=")(\/[^)"#\s]*)/g;

describe('health', () => {
  it('says ready while the database answers, otherwise the reason', async () => {
    let nowMs = 0;
    let answers: () => Promise<boolean> = async () => true;
    let writes: () => Promise<void> = async () => undefined;
    const served = await startServer([], {
      monotonicMs: () => nowMs,
      databaseAnswers: () => answers(),
      databaseWrites: () => writes(),
    });
    const ready = async () => {
      nowMs += 10_000;
      const reply = await served.send({ path: '/health/ready' });
      return [reply.status, JSON.parse(reply.text)];
    };
    assert.deepEqual(await ready(), [200, { status: 'ready' }]);
    const down = [503, { status: 'not ready', reasons: ['database'] }];
    answers = async () => false;
    assert.deepEqual(await ready(), down);
    answers = () => Promise.reject(new Error('down'));
    assert.deepEqual(await ready(), down);
    assert.equal((await served.send({ path: '/health/live' })).status, 200);
    answers = async () => true;
    assert.deepEqual(await ready(), [200, { status: 'ready' }]);
    writes = () => Promise.reject(new Error('disk full'));
    const full = [503, { status: 'not ready', reasons: ['database writes'] }];
    assert.deepEqual(await ready(), full);
    writes = async () => undefined;
    assert.deepEqual(await ready(), [200, { status: 'ready' }]);
    await served.stop();
  });

  it('queries the database once for any number of probes', async () => {
    let asked = 0;
    const served = await startServer([], {
      monotonicMs: () => 0,
      databaseAnswers: async () => {
        asked += 1;
        return true;
      },
    });
    await Promise.all(Array.from({ length: 20 }, () => served.send({ path: '/health/ready' })));
    assert.equal(asked, 1);
    await served.stop();
  });
});

describe('metrics', () => {
  it('are shown to this machine, and count by operation and status', async () => {
    const served = await startServer([route]);
    await served.send({ path: '/api/v1/payments/things', headers: { 'x-api-key': VALID_KEY } });
    await served.send({ path: '/api/v1/payments/things' });
    const { status, text, headers } = await served.send({ path: '/metrics' });
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /^text\/plain/);
    assert.match(text, /^kafue_http_requests_total\{operation="doThing",status="200"\} 1$/m);
    assert.match(text, /^kafue_http_requests_total\{operation="doThing",status="401"\} 1$/m);
    assert.match(text, /^kafue_http_request_seconds_count\{operation="doThing"\} 2$/m);
    assert.match(text, /^kafue_process_resident_memory_bytes \d+/m);
    await served.stop();
  });

  it('are not shown to a proxy on this machine that says whom it speaks for', async (t) => {
    const served = await startServer([]);
    t.after(() => served.stop());
    for (const name of ['x-forwarded-for', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via']) {
      const reply = await served.send({ path: '/metrics', headers: { [name]: '203.0.113.9' } });
      assert.equal(reply.status, 403, name);
      assert.match(reply.text, /METRICS_TOKEN/);
    }
  });

  it('are not shown to a plain proxy on this machine, which adds nothing', async (t) => {
    const served = await startServer([]);
    t.after(() => served.stop());
    const ask = async (head: string) => (await served.exchange(`${head}\r\n\r\n`)).split(' ')[1];
    const line = 'GET /metrics HTTP/1.1\r\nconnection: close\r\nhost: ';
    assert.equal(await ask(`${line}127.0.0.1:${served.port}`), '200');
    assert.equal(await ask(`${line}[::1]:${served.port}`), '200');
    assert.equal(await ask(`${line}LOCALHOST:${served.port}`), '200');
    // One that keeps the name or the port that the client asked for.
    assert.equal(await ask(`${line}pay.example`), '403');
    assert.equal(await ask(`${line}127.0.0.1:${served.port + 1}`), '403');
    assert.equal(await ask(`${line}127.0.0.1`), '403');
    assert.equal(await ask(`${line}localhost:${served.port}.example`), '403');
    // One that asks by our address, as nginx does by itself: in the version before.
    const old = `GET /metrics HTTP/1.0\r\nhost: 127.0.0.1:${served.port}`;
    assert.equal(await ask(old), '403');
  });

  it('are not shown to a trusted proxy, with any headers', async (t) => {
    const served = await startServer([], { trustedProxies: ['127.0.0.1'] });
    t.after(() => served.stop());
    assert.equal((await served.send({ path: '/metrics' })).status, 403);
    // Nor to the client on this machine that it names: the client writes that itself.
    const headers = { 'x-forwarded-for': '127.0.0.1' };
    assert.equal((await served.send({ path: '/metrics', headers })).status, 403);
  });

  it('need the token once one is set, from anywhere', async () => {
    const served = await startServer([], { metricsToken: 'open sesame' });
    const ask = async (headers: Record<string, string>) =>
      (await served.send({ path: '/metrics', headers })).status;
    assert.equal(await ask({}), 401);
    assert.equal(await ask({ authorization: 'Bearer open' }), 401);
    assert.equal(await ask({ authorization: 'open sesame' }), 401);
    assert.equal(await ask({ authorization: 'Bearer open sesame' }), 200);
    await served.stop();
  });

  it('stay hidden from other machines', async () => {
    const pages = servicePages({
      isDraining: () => false,
      databaseAnswers: async () => true,
      databaseWrites: async () => undefined,
      monotonicMs: () => 0,
      metrics: { render: async () => ({ contentType: 'text/plain', text: 'numbers' }) },
      metricsToken: undefined,
      documents: readApiDocuments(),
      startPath: '/docs',
      isForPeople: true,
    });
    const metrics = pages.find(({ path }) => path === '/metrics');
    const ask = async (peer: string) => {
      const answer = await metrics?.answer({
        headers: { host: 'localhost:3000' },
        httpVersion: '1.1',
        localPort: 3_000,
        peer,
        isFromProxy: false,
        address: peer,
        path: '/metrics',
      });
      return answer?.body;
    };
    assert.equal(await ask('127.0.0.1'), 'numbers');
    assert.equal(await ask('::1'), 'numbers');
    await assert.rejects(ask('203.0.113.9'), { code: 'FORBIDDEN' });
  });
});

describe('pages', () => {
  it('describe the API to programs and to people, from here alone', async () => {
    const served = await startServer([], { isForPeople: true });
    const openApi = JSON.parse((await served.send({ path: '/openapi.json' })).text);
    assert.equal(openApi.openapi, '3.1.0');
    const titles = ['/docs', '/docs/people'].map(async (path) => {
      const docs = await served.send({ path });
      assert.equal(docs.status, 200);
      assert.match(String(docs.headers['content-type']), /^text\/html/);
      const policy = String(docs.headers['content-security-policy']);
      assert.match(policy, /^default-src 'none'; /);
      assert.doesNotMatch(policy, /unsafe|https?:|\*/);
      for (const element of ['style', 'script']) {
        const inside = docs.text.split(`<${element}>`)[1]?.split(`</${element}>`) ?? [];
        const [text = '', ...more] = inside;
        assert.equal(more.length, 1, element);
        const hash = createHash('sha256').update(text).digest('base64');
        assert.ok(policy.includes(`${element}-src 'sha256-${hash}';`), element);
      }
      return /<title>([^<]*)</.exec(docs.text)?.[1];
    });
    assert.deepEqual(await Promise.all(titles), ['Kafue: API', 'Kafue: API for people']);
    assert.equal((await served.send({ path: '/' })).headers.location, '/docs');
    await served.stop();
  });

  it('link to nothing that is not served', async (t) => {
    const served = await startServer([], { isForPeople: true });
    t.after(() => served.stop());
    const dead: string[] = [];
    for (const path of ['/openapi.json', '/docs', '/docs/people']) {
      const { text } = await served.send({ path });
      const links = new Set([...text.matchAll(LINK)].map(([, to = '']) => to));
      assert.ok(path === '/openapi.json' || links.size > 0, `no links in ${path}`);
      for (const to of links) {
        if ((await served.send({ path: to })).status !== 200) dead.push(`${path}: ${to}`);
      }
    }
    assert.deepEqual(dead, []);
  });
});

describe('the documents', () => {
  it('are rate-limited per address, and health is not', async () => {
    let nowMs = 0;
    const served = await startServer([], { monotonicMs: () => nowMs });
    const statuses = async (path: string, count: number) => {
      const replies = await Promise.all(Array.from({ length: count }, () => served.send({ path })));
      return replies.map(({ status }) => status);
    };
    assert.deepEqual(new Set(await statuses('/docs', 60)), new Set([200]));
    const refused = await served.send({ path: '/openapi.json' });
    assert.equal(refused.status, 429);
    assert.equal(refused.headers['retry-after'], '1');
    assert.deepEqual(new Set(await statuses('/health/live', 100)), new Set([200]));
    nowMs += 1_000;
    assert.deepEqual(new Set(await statuses('/openapi.json', 20)), new Set([200]));
    assert.deepEqual(await statuses('/docs', 1), [429]);
    await served.stop();
  });

  it('are counted for each client of a trusted proxy apart', async (t) => {
    const served = await startServer([], {
      monotonicMs: () => 0,
      trustedProxies: ['127.0.0.1'],
    });
    t.after(() => served.stop());
    const ask = async (client: string) => {
      const headers = { 'x-forwarded-for': client };
      return (await served.send({ path: '/docs', headers })).status;
    };
    const replies = await Promise.all(Array.from({ length: 61 }, () => ask('203.0.113.7')));
    assert.equal(replies.filter((status) => status === 429).length, 1);
    assert.equal(await ask('203.0.113.8'), 200);
  });
});
