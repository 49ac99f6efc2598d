import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatFields, formatTable, formatTime } from './format-table.ts';

describe('tables for people', () => {
  it('align texts to the left and numbers to the right, without trailing spaces', () => {
    const columns = [
      { title: 'name' },
      { title: 'available', align: 'right' },
      { title: 'x' },
    ] as const;
    const rows = [
      ['Till', '5.00', 'a'],
      ['Ko🎉', '1000000.00', ''],
    ];
    assert.equal(
      formatTable(columns, rows),
      ['name   available  x', 'Till        5.00  a', 'Ko🎉   1000000.00'].join('\n'),
    );
  });

  it('align the names of fields', () => {
    const fields = [
      ['id', '1'],
      ['merchant', 'Demo'],
    ] as const;
    assert.equal(formatFields(fields), '  id        1\n  merchant  Demo');
  });

  it('show times in UTC to the second, and a dash for none', () => {
    assert.equal(formatTime(new Date('2026-03-01T12:00:00.123Z')), '2026-03-01 12:00:00Z');
    assert.equal(formatTime(null), '-');
  });
});
