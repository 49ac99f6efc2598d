import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Database } from '../postgres/database.ts';
import type { ComposedCell } from './cell.ts';
import { composeHealth } from './health.ts';

type FakeCell = Pick<ComposedCell, 'name' | 'database'>;

/** Takes nothing else than the two questions of readiness. */
const fakeCell = (name: string, state: Readonly<{ answers?: boolean; writes?: boolean }> = {}) => ({
  name,
  database: {
    isReady: async () => state.answers ?? true,
    transaction: async (work: (tx: Pick<Database, 'query'>) => Promise<unknown>) => {
      if (state.writes === false) throw new Error('no space left');
      return work({ query: async () => [] });
    },
  } as unknown as Database,
});

function healthOf(cells: readonly FakeCell[], down: readonly string[] = []) {
  const logged: unknown[] = [];
  const health = composeHealth(
    { error: (fields) => logged.push(fields.cell) },
    {
      alone: () => (cells.length + down.length === 1 ? (cells[0] as ComposedCell) : undefined),
      answering: () => cells as readonly ComposedCell[],
      down: () => down,
    },
  );
  return { ...health, logged };
}

describe('health', () => {
  it('of one cell is what its database says', async () => {
    const away = healthOf([fakeCell('main', { answers: false })]);
    assert.equal(await away.databaseAnswers(), false);
    const full = healthOf([fakeCell('main', { writes: false })]);
    assert.equal(await full.databaseAnswers(), true);
    await assert.rejects(full.databaseWrites(), /no space left/);
    assert.deepEqual([full.cellsDown(), full.logged], [[], [undefined]]);
  });

  it('of several is good while one answers and writes; the others are named', async () => {
    const health = healthOf([fakeCell('main', { writes: false }), fakeCell('east')], ['west']);
    assert.equal(await health.databaseAnswers(), true);
    assert.deepEqual(health.cellsDown(), ['west']);
    await health.databaseWrites();
    assert.deepEqual([health.cellsDown(), health.logged], [['main', 'west'], ['main']]);
  });

  it('of several is bad when none answers or none writes', async () => {
    assert.equal(await healthOf([], ['east', 'main']).databaseAnswers(), false);
    const full = healthOf([
      fakeCell('east', { writes: false }),
      fakeCell('main', { writes: false }),
    ]);
    await assert.rejects(full.databaseWrites(), /no cell can write/);
  });
});
