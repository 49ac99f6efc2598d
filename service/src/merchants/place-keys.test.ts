import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { addTestCell, placeTestMerchant, type TestCell } from '../../test/test-cell.ts';
import { createDatabaseOfOneCell, type TestDatabase } from '../../test/test-database.ts';
import { createTestMerchant, type TestMerchant } from '../../test/test-merchant.ts';
import { refuseCell } from '../cells/cell.ts';
import type { Queryable } from '../postgres/database.ts';
import { createApiKey } from './api-key.ts';
import type { AuthenticatedKey, KeyAuthenticator } from './authenticated-key.ts';
import { createPlacedAuthenticator } from './place-keys.ts';

let test: TestDatabase;
let east: TestCell;
let inMain: TestMerchant;
let inEast: TestMerchant;
before(async () => {
  test = await createDatabaseOfOneCell();
  east = await addTestCell(test, 'east');
  inMain = await createTestMerchant(test.database);
  inEast = await east.createMerchant();
});
after(async () => {
  await east.database.close();
  await test.drop();
});

const FROM = '192.0.2.0';

/** A world with a directory whose questions are counted, and cells that know every key until told otherwise. */
function openWorld(cells: readonly string[] = ['main', 'east']) {
  let nowMs = 0;
  const world = {
    asked: 0,
    seen: [] as string[],
    missing: new Set<string>(),
    later: false,
    onWait: (_ms: number): unknown => undefined,
    alone: undefined as string | undefined,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
  const directory: Queryable = {
    query(statement, values) {
      world.asked += 1;
      return test.directory.query(statement, values);
    },
  };
  const authenticatorOf = (cell: string): KeyAuthenticator => {
    if (!cells.includes(cell)) throw refuseCell();
    return {
      authenticate(text) {
        world.seen.push(cell);
        const found = world.missing.has(cell) ? undefined : ({ id: text } as AuthenticatedKey);
        return world.later ? Promise.resolve(found) : found;
      },
    };
  };
  const keys = createPlacedAuthenticator({
    directory,
    monotonicMs: () => nowMs,
    alone: () =>
      world.alone === undefined
        ? undefined
        : { name: world.alone, authenticator: authenticatorOf(world.alone) },
    authenticatorOf,
    wait: async (ms) => void world.onWait(ms),
  });
  return { world, authenticate: (key: string, from = FROM) => keys.authenticate(key, from) };
}

describe('a key', () => {
  it('is authenticated by the only cell, and the directory is not asked', async () => {
    const { world, authenticate } = openWorld();
    world.alone = 'main';
    assert.notEqual(await authenticate(inEast.keys.test), undefined);
    assert.deepEqual([world.asked, world.seen], [0, ['main']]);
  });

  for (const later of [false, true]) {
    const answered = later ? 'later' : 'at once';
    it(`of a cell that this process has not heard of yet is not called unknown (answered ${answered})`, async () => {
      const { world, authenticate } = openWorld(['main']);
      world.alone = 'main';
      world.missing.add('main');
      world.later = later;
      const unavailable = { code: 'CELL_UNAVAILABLE' };
      await assert.rejects(async () => authenticate(inEast.keys.test), unavailable);
      const invented = createApiKey('test', randomBytes).text;
      assert.equal(await authenticate(invented), undefined);
      assert.equal(await authenticate(invented), undefined);
      assert.equal(world.asked, 2);
    });
  }

  it('is authenticated by its cell; the directory is asked once for each', async () => {
    const { world, authenticate } = openWorld();
    for (const { keys } of [inMain, inEast])
      assert.notEqual(await authenticate(keys.live), undefined);
    // At once, as a cell does that has it in memory.
    assert.equal(authenticate(inEast.keys.live) instanceof Promise, false);
    assert.deepEqual([world.asked, world.seen], [2, ['main', 'east', 'east']]);
  });

  it('that does not exist is refused without another question for a moment', async () => {
    const { world, authenticate } = openWorld();
    const invented = createApiKey('test', randomBytes).text;
    assert.equal(await authenticate(invented), undefined);
    assert.equal(authenticate(invented), undefined);
    assert.deepEqual([world.asked, world.seen], [1, []]);
    assert.equal(authenticate('garbage'), undefined);
    assert.equal(world.asked, 1);
  });

  it('that is not known costs its address one group of questions at most; another address is heard', async () => {
    const { world, authenticate } = openWorld();
    const flood = Array.from({ length: 1_000 }, async () =>
      authenticate(createApiKey('test', randomBytes).text),
    );
    const elsewhere = authenticate(inEast.keys.live, '198.51.100.7');
    const results = await Promise.allSettled(flood);
    const refused = results.filter(({ status }) => status === 'rejected');
    assert.equal(refused.length, 1_000 - 256);
    assert.notEqual(await elsewhere, undefined);
    assert.equal(world.asked, 2);
  });

  it('that is not known makes at most 20 groups of questions a second', async () => {
    const { world, authenticate } = openWorld();
    const pauses: number[] = [];
    world.onWait = (ms) => void pauses.push(ms);
    const flood = Array.from({ length: 1_000 }, async (_, index) =>
      authenticate(createApiKey('test', randomBytes).text, `192.0.2.${index % 10}`),
    );
    await Promise.all(flood);
    assert.deepEqual([world.asked, pauses], [4, [50, 50, 50, 50]]);
  });

  for (const later of [false, true]) {
    const answered = later ? 'later' : 'at once';
    it(`that its cell no longer has is looked for anew (answered ${answered})`, async () => {
      const { world, authenticate } = openWorld();
      world.later = later;
      const moved = await east.createMerchant();
      assert.notEqual(await authenticate(moved.keys.test), undefined);
      await placeTestMerchant(test.database, { merchantId: moved.id, cell: 'main' });
      world.missing.add('east');
      world.pass(1_000);
      assert.notEqual(await authenticate(moved.keys.test), undefined);
      assert.notEqual(await authenticate(moved.keys.test), undefined);
      assert.deepEqual(world.seen, ['east', 'east', 'main', 'main']);
      world.missing.add('main');
      world.pass(1_000);
      await test.directory.query({
        name: '',
        text: `update api_keys set revoked_at = now() where book_id = '${moved.books.test}'`,
      });
      assert.equal(await authenticate(moved.keys.test), undefined);
      assert.equal(world.asked, 3);
    });
  }

  it('that the directory has and its cell not yet is tried again, and never called unknown', async () => {
    const { world, authenticate } = openWorld();
    world.missing.add('east');
    await assert.rejects(async () => authenticate(inEast.keys.test), { code: 'CELL_UNAVAILABLE' });
    assert.deepEqual(world.seen, ['east', 'east', 'east']);
    world.onWait = () => world.missing.delete('east');
    assert.notEqual(await authenticate(inEast.keys.test), undefined);
  });

  it('of a cell that cannot be reached is refused as such', async () => {
    const { authenticate } = openWorld(['main']);
    await assert.rejects(async () => authenticate(inEast.keys.test), { code: 'CELL_UNAVAILABLE' });
    // Also once its cell is known.
    await assert.rejects(async () => authenticate(inEast.keys.test), { code: 'CELL_UNAVAILABLE' });
  });
});
