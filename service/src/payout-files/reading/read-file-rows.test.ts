import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { workbookWithSheet } from '../../../test/test-workbook.ts';
import { FileUnreadable } from './file-unreadable.ts';
import { readFileRows } from './read-file-rows.ts';
import type { CheckedRows } from './reader-message.ts';

const RULES = {
  currency: null,
  walletId: null,
  ownReferences: false,
  wallets: {},
  feeTerms: { fixedMinor: 0n, basisPoints: 0 },
  bounds: {},
};

const read = (file: Buffer, options: Partial<Parameters<typeof readFileRows>[0]>) =>
  readFileRows({
    bytes: new Uint8Array(file).buffer,
    rules: RULES,
    signal: new AbortController().signal,
    onHead: async () => {},
    onRows: async () => {},
    ...options,
  });

const refused = (code: string) => (error: unknown) =>
  error instanceof FileUnreadable && error.code === code;

it('a file that keeps its thread busy for too long is refused', async () => {
  const busy = workbookWithSheet('<c/>'.repeat(5_000_000));
  await assert.rejects(read(busy, { cpuMaxMs: 500 }), refused('TOO_SLOW'));
});

it('a file is not read where the time of its thread cannot be measured', async (test) => {
  const property = Object.getOwnPropertyDescriptor(Worker.prototype, 'cpuUsage');
  assert.ok(property !== undefined);
  test.after(() => Object.defineProperty(Worker.prototype, 'cpuUsage', property));
  Reflect.deleteProperty(Worker.prototype, 'cpuUsage');
  const busy = workbookWithSheet('<c/>'.repeat(5_000_000));
  await assert.rejects(read(busy, {}), /cpuUsage is not a function/);
});

it('rows with long texts are handed over in smaller parts', async () => {
  const cells = Array.from({ length: 6 }, () => '\u0001'.repeat(999)).join(',');
  const rows = Array.from({ length: 2_000 }, () => `0977433571,5,${cells}\n`);
  const header = 'phone,amount,name,narration,operator,country,reference,walletId\n';
  const parts: CheckedRows[] = [];
  await read(Buffer.from(header + rows.join('')), {
    onRows: async (part) => void parts.push(part),
  });
  assert.equal(
    parts.reduce((sum, { count }) => sum + count, 0),
    2_000,
  );
  // Each of the characters is written with six.
  for (const { json } of parts) assert.ok(json.length < 8 * 1_024 * 1_024, `${json.length}`);
});

const MANY_ROWS = Buffer.from(`phone,amount\n${'0977433571,5\n'.repeat(5_000)}`);

it('a file that was read in a thread leaves nothing at the signal of its reader', async () => {
  const { signal } = new AbortController();
  await read(MANY_ROWS, { signal });
  assert.equal(getEventListeners(signal, 'abort').length, 0);
  const busy = workbookWithSheet('<c/>'.repeat(5_000_000));
  await assert.rejects(read(busy, { signal, cpuMaxMs: 100 }), refused('TOO_SLOW'));
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});

it('rows that are stored when the reading has ended start no timer', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  const stop = new AbortController();
  const stored = Promise.withResolvers<void>();
  const reading = read(MANY_ROWS, {
    signal: stop.signal,
    async onRows() {
      stop.abort();
      await stored.promise;
    },
  });
  await assert.rejects(reading, { name: 'AbortError' });
  stored.resolve();
  await nextTurn();
  assert.equal(timers(), before);
});
