import assert from 'node:assert/strict';
import { it } from 'node:test';
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
