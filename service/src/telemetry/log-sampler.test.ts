import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { sampleLogs } from './log-sampler.ts';
import { createLogger, type Logger } from './logger.ts';

const KEYLESS = { status: 404, route: '(unknown)', method: 'GET' } as const;
const MERCHANT = { status: 400, route: '/pay', keyId: 'key-1', bookId: 'book-1' } as const;

describe('a sampled log', () => {
  let nowMs = 0;
  let lines: string[] = [];
  let waits: (() => void)[] = [];
  let logger: Logger;

  const parsed = () => lines.map((line) => JSON.parse(line));
  const passWindow = async (): Promise<void> => {
    nowMs += 1_000;
    for (const resolve of waits.splice(0)) resolve();
    await setImmediate();
  };
  const total = () =>
    parsed().reduce((count, { requestId, suppressed = 0 }) => {
      return count + suppressed + (requestId === undefined ? 0 : 1);
    }, 0);

  beforeEach(() => {
    nowMs = 0;
    lines = [];
    waits = [];
    logger = sampleLogs({
      logger: createLogger({ level: 'info', destination: { write: (line) => lines.push(line) } }),
      monotonicMs: () => nowMs,
      wait: () => new Promise((resolve) => waits.push(resolve)),
    });
  });

  it('has one line a second of refused requests without a key, and counts the others', async () => {
    for (let index = 0; index < 25_000; index += 1) {
      logger.info({ ...KEYLESS, requestId: `r${index}` }, 'request refused');
    }
    assert.equal(lines.length, 1);
    nowMs = 1_000;
    logger.info({ ...KEYLESS, requestId: 'later' }, 'request refused');
    assert.equal(lines.length, 2);
    const { suppressed, requestId } = parsed()[1];
    assert.deepEqual({ suppressed, requestId }, { suppressed: 24_999, requestId: 'later' });
  });

  it('reports how many were left out when a kind stops', async () => {
    for (let index = 0; index < 10; index += 1) {
      logger.info({ ...KEYLESS, requestId: `r${index}` }, 'request refused');
    }
    await passWindow();
    assert.equal(lines.length, 2);
    const { msg, status, route, suppressed, requestId } = parsed()[1];
    assert.deepEqual([msg, status, route, suppressed], ['request refused', 404, '(unknown)', 9]);
    assert.equal(requestId, undefined);
    await passWindow();
    assert.equal(lines.length, 2);
    assert.equal(waits.length, 0);
  });

  it('loses no count, even of kinds that began later than the sweep', async () => {
    for (let round = 0; round < 50; round += 1) {
      for (let index = 0; index < 7; index += 1) {
        const requestId = `${round} ${index}`;
        logger.info({ ...KEYLESS, status: 400 + (round % 5), requestId }, 'request refused');
      }
      nowMs += 130;
      if (round % 3 === 0) await passWindow();
    }
    await passWindow();
    await passWindow();
    assert.equal(total(), 350);
  });

  it('reports what was left out at the end too', () => {
    for (let index = 0; index < 3; index += 1) logger.info(KEYLESS, 'request refused');
    logger.flush();
    assert.equal(parsed().at(-1)?.suppressed, 2);
  });

  it('distinguishes requests without a key by status and route, not by method or id', () => {
    for (const method of ['GET', 'POST', 'PUT']) {
      logger.info({ ...KEYLESS, method }, 'request refused');
      logger.info({ ...KEYLESS, method, status: 405 }, 'request refused');
      logger.info({ ...KEYLESS, method, route: '/callbacks/:route/:token' }, 'request refused');
    }
    assert.equal(lines.length, 3);
  });

  it('has every refusal of a key until there are too many', () => {
    for (let index = 0; index < 20; index += 1) logger.info(MERCHANT, 'request refused');
    assert.equal(lines.length, 20);
    for (let index = 0; index < 500; index += 1) logger.info(MERCHANT, 'request refused');
    assert.equal(lines.length, 20);
    logger.info({ ...MERCHANT, keyId: 'key-2' }, 'request refused');
    logger.info({ ...MERCHANT, status: 422 }, 'request refused');
    assert.equal(lines.length, 22);
    logger.flush();
    const { suppressed, keyId } = parsed().at(-1);
    assert.deepEqual([suppressed, keyId], [500, 'key-1']);
  });

  it('has one line a second of a fault with the same cause, with one stack', () => {
    const diskFull = () =>
      new Error('the group failed', {
        cause: Object.assign(new Error(`no space for ${nowMs}`), { code: '53100' }),
      });
    for (let index = 0; index < 6_000; index += 1) {
      const key = { keyId: `key-${index % 50}`, route: `/route-${index % 5}` };
      logger.error({ status: 503, ...key, err: diskFull() }, 'request failed');
    }
    assert.equal(lines.length, 1);
    assert.match(parsed()[0].err.stack, /log-sampler\.test/);
    const other = Object.assign(new Error('too many'), { code: '53300' });
    logger.error({ status: 503, err: other }, 'request failed');
    assert.equal(lines.length, 2);
    logger.flush();
    assert.equal(parsed()[2].suppressed, 5_999);
    assert.match(parsed()[2].cause, /53100/);
  });

  it('has one line a second of a background failure', () => {
    for (let index = 0; index < 100; index += 1) {
      logger.warn({ err: new Error(`attempt ${index}`) }, 'scan failed, trying again');
    }
    logger.warn({ err: new Error('attempt') }, 'reading callbacks failed, trying again');
    assert.equal(lines.length, 2);
  });

  it('has every line that belongs to no kind', () => {
    for (let index = 0; index < 100; index += 1) {
      logger.error({ transferId: `t${index}` }, 'transfer in doubt needs a person');
      logger.info({ pid: 1 }, 'listening');
    }
    assert.equal(lines.length, 200);
  });

  it('keeps a limited number of kinds and counts the rest together', async () => {
    for (let index = 0; index < 1_500; index += 1) {
      logger.info({ ...MERCHANT, keyId: `key-${index}` }, 'request refused');
    }
    assert.ok(lines.length <= 1_000 + 20, `${lines.length}`);
    await passWindow();
    const suppressed = parsed().reduce((count, line) => count + (line.suppressed ?? 0), 0);
    const written = parsed().filter((line) => line.keyId !== undefined).length;
    assert.equal(written + suppressed, 1_500);
  });
});
