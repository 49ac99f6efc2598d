import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { queryCells } from './query-cells.ts';

const named = (...names: string[]) => names.map((name) => ({ name }));

describe('asking cells', () => {
  it('gives the answers in the order of the cells, whichever comes first', async () => {
    const first = Promise.withResolvers<void>();
    const { answers, unanswered } = await queryCells(named('a', 'b'), async ({ name }) => {
      if (name === 'a') await first.promise;
      else first.resolve();
      return name.toUpperCase();
    });
    assert.deepEqual(
      answers.map(({ cell, answer }) => [cell.name, answer]),
      [
        ['a', 'A'],
        ['b', 'B'],
      ],
    );
    assert.deepEqual(unanswered, []);
  });

  it('keeps an answer that is undefined', async () => {
    const { answers, unanswered } = await queryCells(named('a'), async () => undefined);
    assert.deepEqual([answers.length, unanswered], [1, []]);
  });

  it('names a cell that throws, also before it returns a promise, and says why', async () => {
    const told: string[] = [];
    const { answers, unanswered } = await queryCells(
      named('a', 'b', 'c'),
      ({ name }) => {
        if (name === 'a') throw new Error('at once');
        if (name === 'b') return Promise.reject(new Error('later'));
        return Promise.resolve(1);
      },
      { onError: (name, error) => told.push(`${name}: ${String(error)}`) },
    );
    assert.deepEqual(
      answers.map(({ cell }) => cell.name),
      ['c'],
    );
    assert.deepEqual(unanswered, ['a', 'b']);
    assert.deepEqual(new Set(told), new Set(['a: Error: at once', 'b: Error: later']));
  });

  it('names a cell that hangs after its deadline, and waits no longer for the others', async () => {
    const never = new Promise<string>(() => undefined);
    const asked = queryCells(
      named('a', 'b'),
      ({ name }) => (name === 'a' ? never : Promise.resolve(name)),
      {
        deadlineMs: 20,
      },
    );
    const { answers, unanswered } = await asked;
    assert.deepEqual(
      answers.map(({ answer }) => answer),
      ['b'],
    );
    assert.deepEqual(unanswered, ['a']);
  });

  it('asks a few cells at a time, and all of them in the end', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `cell-${index}`);
    let atOnce = 0;
    let most = 0;
    const { answers } = await queryCells(named(...names), async ({ name }) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise(setImmediate);
      atOnce -= 1;
      return name;
    });
    assert.deepEqual(
      answers.map(({ answer }) => answer),
      names,
    );
    assert.equal(most, 8);
  });
});
