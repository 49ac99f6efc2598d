import assert from 'node:assert/strict';
import { it } from 'node:test';
import { workbookWithSheet } from '../../../test/test-workbook.ts';
import { FileUnreadable } from './file-unreadable.ts';
import { readFileRows } from './read-file-rows.ts';

const RULES = {
  currency: null,
  walletId: null,
  ownReferences: false,
  wallets: {},
  feeTerms: { fixedMinor: 0n, basisPoints: 0 },
  bounds: {},
};

async function read(file: Buffer, cpuMaxMs?: number): Promise<number> {
  let rows = 0;
  await readFileRows({
    bytes: new Uint8Array(file).buffer,
    rules: RULES,
    signal: new AbortController().signal,
    async onHead() {},
    async onRows({ count }) {
      rows += count;
    },
    ...(cpuMaxMs === undefined ? {} : { cpuMaxMs }),
  });
  return rows;
}

const refused = (code: string) => (error: unknown) =>
  error instanceof FileUnreadable && error.code === code;

it('a file that keeps its thread busy for too long is refused', async () => {
  const busy = workbookWithSheet('<c/>'.repeat(5_000_000));
  await assert.rejects(read(busy, 500), refused('TOO_SLOW'));
});
