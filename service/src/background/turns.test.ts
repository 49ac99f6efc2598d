import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTurns, createTurnsByServer } from './turns.ts';

describe('turns', () => {
  it('are never more than agreed, and go to those who waited, in their order', async () => {
    const turns = createTurns(2);
    const order: string[] = [];
    const ask = async (name: string) => {
      const end = await turns.take();
      order.push(name);
      return end;
    };
    const first = await ask('a');
    const second = await ask('b');
    const third = ask('c');
    const fourth = ask('d');
    await settle();
    assert.deepEqual(order, ['a', 'b']);
    second();
    await third;
    await settle();
    assert.deepEqual(order, ['a', 'b', 'c']);
    first();
    (await fourth)();
    assert.deepEqual(order, ['a', 'b', 'c', 'd']);
  });

  it('are shared by those who name the same server, and by no others', () => {
    const turnsOf = createTurnsByServer(2);
    assert.equal(turnsOf('NORTH_DATABASE_URL'), turnsOf('NORTH_DATABASE_URL'));
    assert.notEqual(turnsOf('NORTH_DATABASE_URL'), turnsOf(null));
  });

  it('end once, however often it is said', async () => {
    const turns = createTurns(1);
    const end = await turns.take();
    end();
    end();
    await turns.take();
    const third = turns.take();
    assert.equal(await Promise.race([third, settle().then(() => 'not yet')]), 'not yet');
  });
});

const settle = () => new Promise((resolve) => setImmediate(resolve));
