import assert from 'node:assert/strict';
import { constants, createPublicKey, generateKeyPairSync, publicEncrypt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createTestFolder } from '../kernel/test-folder.ts';
import { startVodacomForTest, type TestVodacom } from './start-for-test.ts';
import { call, openSession, orderFor, output, query, type Reply, seal } from './vodacom-caller.ts';
import { startVodacomEmulator } from './vodacom-emulator.ts';
import { MARKETS } from './vodacom-state.ts';

function requestSession(emulator: TestVodacom, bearer: string | null): Promise<Reply> {
  return call(emulator, { path: 'getSession/', bearer });
}

async function requestWithHeader(emulator: TestVodacom, path: string, authorization: string) {
  const { context, market } = emulator.settings;
  const url = `${emulator.url}/${context}/ipg/v2/${market.name}/${path}`;
  const answer = await fetch(url, { headers: { authorization, origin: '*' } });
  return { status: answer.status, body: await answer.json() };
}

describe('a session', () => {
  it('is given for the API key, encrypted with the platform’s key', async () => {
    await using emulator = await startVodacomForTest();
    const reply = await requestSession(emulator, emulator.credentials.apiKey);
    assert.equal(reply.status, 200);
    assert.equal(output(reply, 'ResponseCode'), 'INS-0');
    assert.equal(output(reply, 'ResponseDesc'), 'Request processed successfully');
    assert.match(String(output(reply, 'SessionID')), /^AAA[0-9a-f]{30}$/);
  });

  it('is refused for another key, for plain text, and for another padding', async () => {
    await using emulator = await startVodacomForTest();
    const { apiKey, publicKey } = emulator.credentials;
    const key = createPublicKey({
      key: Buffer.from(publicKey, 'base64'),
      type: 'spki',
      format: 'der',
    });
    const oaep = publicEncrypt(
      { key, padding: constants.RSA_PKCS1_OAEP_PADDING },
      Buffer.from(apiKey),
    );
    const otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
    const forOtherKey = publicEncrypt(
      { key: otherKey, padding: constants.RSA_PKCS1_PADDING },
      Buffer.from(apiKey),
    );
    const replies = [
      await requestSession(emulator, 'another key'),
      await requestSession(emulator, null),
      await requestWithHeader(emulator, 'getSession/', `Bearer ${apiKey}`),
      await requestWithHeader(emulator, 'getSession/', `Bearer ${oaep.toString('base64')}`),
      await requestWithHeader(emulator, 'getSession/', `Bearer ${forOtherKey.toString('base64')}`),
      await requestWithHeader(emulator, 'getSession/', seal(emulator, apiKey)),
    ];
    for (const reply of replies) {
      assert.equal(reply.status, 400);
      assert.equal(output(reply, 'ResponseCode'), 'INS-989');
      assert.equal(output(reply, 'ResponseDesc'), 'Session Creation Failed');
      assert.equal(output(reply, 'SessionID'), undefined);
    }
  });

  it('works only after its activation time, and expires', async () => {
    let nowMs = 1_000_000;
    await using emulator = await startVodacomForTest({
      now: () => nowMs,
      timeScale: 0.1,
      settings: { sessionActivationMs: 30_000, sessionLifetimeMs: 3_600_000 },
    });
    const session = await openSession(emulator);
    const callWithSession = (): Promise<Reply> =>
      call(emulator, { method: 'POST', path: 'b2cPayment/', bearer: session, body: {} });
    // The activation time is 30 s, which is 3 s at this time scale.
    nowMs += 2_999;
    const early = await callWithSession();
    assert.equal(early.status, 401);
    assert.equal(output(early, 'ResponseCode'), undefined);
    nowMs += 1;
    assert.equal(output(await callWithSession(), 'ResponseCode'), 'INS-20');
    nowMs += 3_600_000 - 3_001;
    assert.equal(output(await callWithSession(), 'ResponseCode'), 'INS-20');
    nowMs += 1;
    assert.equal((await callWithSession()).status, 401);
    assert.equal(output(await callWithSession(), 'ResponseCode'), undefined);
  });

  it('must be sent encrypted with every other call', async () => {
    await using emulator = await startVodacomForTest();
    const session = await openSession(emulator);
    const calls = ['queryTransactionStatus/', 'queryBeneficiaryName/'];
    for (const path of calls) {
      const inTheClear = await requestWithHeader(emulator, path, `Bearer ${session}`);
      assert.equal(inTheClear.status, 401);
      for (const bearer of [emulator.credentials.apiKey, 'AAA0', null]) {
        assert.equal((await call(emulator, { path, bearer })).status, 401, `${path} ${bearer}`);
      }
      const rightly = await call(emulator, { path, bearer: session });
      assert.equal(output(rightly, 'ResponseCode'), 'INS-20');
    }
    const payouts = { method: 'POST', path: 'b2cPayment/', body: orderFor(emulator) };
    assert.equal((await call(emulator, { ...payouts, bearer: 'AAA0' })).status, 401);
    const reversals = { method: 'PUT', path: 'reversal/', body: {} };
    assert.equal((await call(emulator, { ...reversals, bearer: 'AAA0' })).status, 401);
    assert.deepEqual(emulator.backend.book(), []);
  });

  it('that is invalid is refused with 400 where that is configured', async () => {
    await using emulator = await startVodacomForTest({ settings: { sessionRefusedStatus: 400 } });
    const reply = await call(emulator, { path: 'queryTransactionStatus/', bearer: 'AAA0' });
    assert.equal(reply.status, 400);
    assert.equal(output(reply, 'ResponseCode'), undefined);
  });

  it('can be refused with any code', async () => {
    await using emulator = await startVodacomForTest();
    for (const [code, status] of [
      ['INS-2', 401],
      ['INS-989', 400],
      ['INS-996', 400],
    ] as const) {
      emulator.setAnswer('session', code);
      const reply = await requestSession(emulator, emulator.credentials.apiKey);
      assert.equal(reply.status, status);
      assert.equal(output(reply, 'ResponseCode'), code);
    }
    emulator.setAnswer('session', null);
    assert.equal((await requestSession(emulator, emulator.credentials.apiKey)).status, 200);
  });
});

describe('the origin', () => {
  it('must be one of the trusted sources', async () => {
    await using emulator = await startVodacomForTest({
      settings: { trustedSources: ['payouts.example.com'] },
    });
    const bearer = emulator.credentials.apiKey;
    for (const [origin, status] of [
      ['payouts.example.com', 200],
      ['*', 401],
      ['other.example.com', 401],
      [null, 401],
    ] as const) {
      const reply = await call(emulator, { path: 'getSession/', bearer, origin });
      assert.equal(reply.status, status, String(origin));
    }
  });

  it('may have any value where all sources are trusted, but is required', async () => {
    await using emulator = await startVodacomForTest();
    const bearer = await openSession(emulator);
    const path = 'queryTransactionStatus/';
    const any = await call(emulator, { path, bearer, origin: 'https://x.example' });
    assert.equal(output(any, 'ResponseCode'), 'INS-20');
    assert.equal((await call(emulator, { path, bearer, origin: null })).status, 401);
  });
});

describe('the market', () => {
  it('that is not the application’s is refused with INS-998 on every call', async () => {
    await using emulator = await startVodacomForTest({ settings: { market: MARKETS.tanzania } });
    const bearer = await openSession(emulator);
    for (const [method, path] of [
      ['GET', 'getSession/'],
      ['GET', 'queryTransactionStatus/'],
      ['GET', 'queryBeneficiaryName/'],
      ['POST', 'b2cPayment/'],
      ['PUT', 'reversal/'],
    ] as const) {
      for (const market of ['vodacomZMB', 'vodacomMOZ', 'VODACOMTZN']) {
        const body = method === 'GET' ? {} : { body: {} };
        const reply = await call(emulator, { method, path, market, bearer, ...body });
        assert.equal(reply.status, 400);
        assert.equal(output(reply, 'ResponseCode'), 'INS-998');
      }
    }
  });

  it('is paid in its own currency', async () => {
    await using emulator = await startVodacomForTest({ settings: { market: MARKETS.tanzania } });
    const bearer = await openSession(emulator);
    const order = orderFor(emulator, { input_CustomerMSISDN: '000000000001' });
    const reply = await call(emulator, {
      method: 'POST',
      path: 'b2cPayment/',
      bearer,
      body: order,
    });
    assert.equal(reply.status, 201);
    assert.equal(emulator.backend.book()[0]?.currency, 'TZS');
  });
});

describe('paths', () => {
  it('end in a slash and begin with the configured context', async () => {
    await using emulator = await startVodacomForTest({ settings: { context: 'openapi' } });
    assert.match(await openSession(emulator), /^AAA/);
    const market = emulator.settings.market.name;
    for (const path of [
      `/sandbox/ipg/v2/${market}/getSession/`,
      `/openapi/ipg/v2/${market}/getSession`,
      `/openapi/ipg/v1/${market}/getSession/`,
      `/openapi/ipg/v2/${market}/queryTransactionStatus`,
      `/openapi/ipg/v2/${market}/b2cPayment/singleStage/`,
      `/openapi/ipg/v2/${market}/`,
    ]) {
      const authorization = `Bearer ${seal(emulator, emulator.credentials.apiKey)}`;
      const answer = await fetch(`${emulator.url}${path}`, {
        headers: { authorization, origin: '*' },
      });
      assert.equal(answer.status, 404, path);
    }
  });

  it('accept only the documented methods', async () => {
    await using emulator = await startVodacomForTest();
    const bearer = await openSession(emulator);
    for (const [method, path] of [
      ['POST', 'getSession/'],
      ['POST', 'queryTransactionStatus/'],
      ['PUT', 'b2cPayment/'],
      ['POST', 'reversal/'],
    ] as const) {
      const reply = await call(emulator, { method, path, bearer, body: {} });
      assert.equal(reply.status, 404, `${method} ${path}`);
    }
  });
});

describe('the platform’s key', () => {
  it('has 4096 bits, and stays the same when the operator starts again', async () => {
    await using folder = await createTestFolder();
    const journalPath = join(folder.path, 'vodacom.jsonl');
    const settings = { sessionActivationMs: 0 };
    const first = await startVodacomEmulator({ port: 0, journalPath, timeScale: 1, settings });
    const { publicKey } = first.credentials;
    assert.equal((await query(first, 'never')).status, 400);
    await first.close();
    const key = createPublicKey({
      key: Buffer.from(publicKey, 'base64'),
      type: 'spki',
      format: 'der',
    });
    assert.equal(key.asymmetricKeyDetails?.modulusLength, 4096);
    const pem = await readFile(`${journalPath}.key.pem`, 'utf8');
    assert.match(pem, /^-----BEGIN PRIVATE KEY-----/);
    const second = await startVodacomEmulator({ port: 0, journalPath, timeScale: 1, settings });
    assert.equal(second.credentials.publicKey, publicKey);
    await second.close();
  });
});
