import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { startServer } from '../../../test/http-server.ts';
import { readConsoleFiles } from './console-files.ts';

const PAGE = '<!doctype html><title>Kafue</title>';
const SCRIPT = 'document.title = "Kafue";'.repeat(50);
const ASSET = '/console/assets/index-1a2b3c4d.js';

const folder = await mkdtemp(join(tmpdir(), 'kafue-console-'));
await mkdir(join(folder, 'assets'));
await writeFile(join(folder, 'index.html'), PAGE);
await writeFile(join(folder, 'assets', 'index-1a2b3c4d.js'), SCRIPT);
await writeFile(join(folder, 'assets', 'index-1a2b3c4d.js.gz'), gzipSync(SCRIPT));
await writeFile(join(folder, 'sources.sha256'), 'secret');
let nowMs = 0;
const served = await startServer([], {
  consoleFiles: readConsoleFiles(folder),
  monotonicMs: () => nowMs,
});
after(async () => {
  await served.stop();
  await rm(folder, { recursive: true });
});
const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  served.send({ path, headers: { host: `127.0.0.1:${served.port}`, ...headers } });

describe('the console', () => {
  for (const path of [
    '/console',
    '/console/',
    '/console/transfers?state=paid',
    '/console/a/b.c',
    '/console/%2e%2e/%2e%2e/etc/passwd',
    '/console/..%2f..%2fpackage.json',
    '/console/sources.sha256',
  ]) {
    it(`answers ${path} with the page that starts it`, async () => {
      const { status, headers, text } = await get(path);
      assert.deepEqual([status, text], [200, PAGE]);
      assert.equal(headers['content-type'], 'text/html; charset=utf-8');
      assert.equal(headers['cache-control'], 'no-cache');
    });
  }

  for (const path of [
    '/console/assets/index-other.js',
    '/console/assets/../index.html/x',
    '/console/assets/index-1a2b3c4d.js.gz',
    '/console/assets/..%2findex.html',
    '/consoles',
  ]) {
    it(`has nothing at ${path}`, async () => {
      assert.equal((await get(path)).status, 404);
    });
  }

  it('lets browsers run its own files alone, show it in no frame, and send its address to none', async () => {
    for (const path of ['/console', ASSET]) {
      const { headers } = await get(path);
      const policy = String(headers['content-security-policy']);
      assert.equal(
        policy,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
          "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      );
      assert.equal(headers['x-frame-options'], 'DENY');
      assert.equal(headers['referrer-policy'], 'no-referrer');
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.match(String(headers['permissions-policy']), /publickey-credentials-get=\(self\)/);
    }
  });

  it('asks for https where the browser is not on this machine', async () => {
    const asked = async (headers: Readonly<Record<string, string>>) =>
      (await get('/console', headers)).headers['strict-transport-security'];
    assert.equal(await asked({}), undefined);
    assert.match(String(await asked({ host: 'pay.example' })), /^max-age=31536000/);
    assert.match(String(await asked({ 'x-forwarded-proto': 'https' })), /^max-age=31536000/);
  });

  it('keeps files with a hash in their name for ever, compressed where the browser can', async () => {
    const plain = await get(ASSET);
    assert.deepEqual([plain.status, plain.text], [200, SCRIPT]);
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
    const response = await fetch(`http://127.0.0.1:${served.port}${ASSET}`, {
      headers: { 'accept-encoding': 'br;q=0, gzip' },
    });
    assert.equal(response.headers.get('content-encoding'), 'gzip');
    assert.equal(response.headers.get('vary'), 'accept-encoding');
    assert.equal(await response.text(), SCRIPT);
    assert.notEqual(response.headers.get('etag'), plain.headers.etag);
    for (const refused of ['gzip;q=0', 'GZIP; q=0.000', 'deflate', '']) {
      const { headers } = await get(ASSET, { 'accept-encoding': refused });
      assert.equal(headers['content-encoding'], undefined, refused);
    }
  });

  it('sends nothing again that the browser has', async () => {
    const { headers } = await get('/console');
    for (const known of [`${headers.etag}`, `"other", W/${headers.etag}`]) {
      const again = await get('/console', { 'if-none-match': known });
      assert.deepEqual([again.status, again.text], [304, '']);
      assert.equal(again.headers['content-length'], undefined);
      assert.ok(again.headers['content-security-policy']);
    }
    assert.equal((await get('/console', { 'if-none-match': '"other"' })).status, 200);
  });

  it('answers HEAD, and other methods with the list of allowed ones', async () => {
    const head = await served.send({ method: 'HEAD', path: '/console/transfers' });
    assert.deepEqual([head.status, head.text], [200, '']);
    const post = await served.send({ method: 'POST', path: '/console/a/b', body: '' });
    assert.deepEqual([post.status, post.headers.allow], [405, 'GET, HEAD']);
  });

  it('slows down a network that loads it all the time', async () => {
    nowMs += 3_600_000;
    const statuses = new Set<number>();
    for (let call = 0; call < 700 && !statuses.has(429); call += 1) {
      statuses.add((await get('/console')).status);
    }
    assert.deepEqual([...statuses], [200, 429]);
  });
});

it('a console that is not built is not there', async () => {
  assert.equal(readConsoleFiles(join(folder, 'none')), undefined);
  assert.equal(readConsoleFiles(join(folder, 'assets')), undefined);
});
