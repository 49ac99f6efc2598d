import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { routeOf, startServer, VALID_KEY } from '../../../test/http-server.ts';
import { servicePages } from './service-pages.ts';

const route = routeOf({}, async () => ({ status: 200, message: 'Done', data: { word: 'x' } }));

describe('health', () => {
  it('says ready while the database answers, otherwise the reason', async () => {
    let nowMs = 0;
    let answers: () => Promise<boolean> = async () => true;
    const served = await startServer([], {
      monotonicMs: () => nowMs,
      databaseAnswers: () => answers(),
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

  it('are not shown to a proxy on this machine that forwards requests', async () => {
    const served = await startServer([]);
    for (const name of ['x-forwarded-for', 'forwarded', 'via']) {
      const reply = await served.send({ path: '/metrics', headers: { [name]: '203.0.113.9' } });
      assert.equal(reply.status, 403);
    }
    await served.stop();
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
      monotonicMs: () => 0,
      metrics: { render: async () => ({ contentType: 'text/plain', text: 'numbers' }) },
      metricsToken: undefined,
      openApi: {},
      docsPage: { html: '', contentSecurityPolicy: '' },
    });
    const metrics = pages.find(({ path }) => path === '/metrics');
    const ask = async (address: string) => (await metrics?.answer({ headers: {}, address }))?.body;
    assert.equal(await ask('127.0.0.1'), 'numbers');
    assert.equal(await ask('::1'), 'numbers');
    await assert.rejects(ask('203.0.113.9'), { code: 'FORBIDDEN' });
  });
});

describe('pages', () => {
  it('describe the API to programs and to people, and load nothing from other servers', async () => {
    const served = await startServer([route]);
    const openApi = JSON.parse((await served.send({ path: '/openapi.json' })).text);
    assert.equal(openApi.openapi, '3.1.0');
    assert.ok(openApi.paths['/api/v1/payments/things'].get);
    const docs = await served.send({ path: '/docs' });
    assert.equal(docs.status, 200);
    assert.match(String(docs.headers['content-type']), /^text\/html/);
    const policy = String(docs.headers['content-security-policy']);
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    assert.equal((await served.send({ path: '/' })).headers.location, '/docs');
    await served.stop();
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
});
