import assert from 'node:assert/strict';
import { it } from 'node:test';
import { listUnusedColumns } from './list-unused-columns.ts';

it('the columns of a file that are not used are named as they are headed', () => {
  const columns = [
    { header: 'Phone', field: 'phone' },
    { header: 'Shift', field: null },
    { header: 'Amount', field: 'amount' },
    { header: ' ', field: null },
    { header: 'Bank account', field: null },
  ] as const;
  assert.deepEqual(listUnusedColumns({ columns }), ['Shift', 'Bank account']);
});
