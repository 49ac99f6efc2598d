import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { RunFacts } from '../journal/exchange-record.ts';
import { checkWindows } from './check-windows.ts';
import type { OperatorBook } from './read-books.ts';
import type { Snapshot, TransferRow } from './snapshot.ts';
import type { Found } from './violation.ts';

const WINDOW = {
  kind: 'standby missing',
  from: '2026-11-17T05:35:06.211Z',
  to: '2026-11-17T05:35:06.584Z',
  walletId: null,
} as const;
const REFERENCE = '01a1e80074b5750daf1a7c9ac29fa321';

function check({ isFar }: Readonly<{ isFar: boolean }>): Found {
  const transfer = {
    id: REFERENCE,
    bookId: 'live',
    operatorReference: REFERENCE,
    createdAt: '2026-11-17T05:35:06.422Z',
  };
  const taken = [{ reference: REFERENCE, receivedAt: '2026-11-17T05:35:06.479Z' }];
  const steady = [{ name: 'steady', isFar, books: { test: 'test', live: 'live' } }];
  const found: Found = [];
  checkWindows(
    { transfers: [transfer as TransferRow] } as unknown as Snapshot,
    {
      windows: [WINDOW],
      calls: [],
      books: [{ name: 'airtel', taken } as unknown as OperatorBook],
      facts: { steady, calm: false, clockMoved: false } as unknown as RunFacts,
    },
    found,
  );
  return found;
}

it('reports a payout of the first server that was sent while its standby was missing', () => {
  assert.deepEqual(
    check({ isFar: false }).map(({ invariant }) => invariant),
    ['I24'],
  );
});

it('reports none of the second server, which waits for no standby', () => {
  assert.deepEqual(check({ isFar: true }), []);
});
