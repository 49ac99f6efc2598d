import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { pollUntil } from '../../test/poll.ts';
import type { KnownCell } from '../cells/list-cells.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Database } from '../postgres/database.ts';
import { CellKeeper, type KeptCell } from './cell-keeper.ts';

type FakeCell = KeptCell & {
  /** What was called, in order. */
  readonly calls: string[];
  ready: () => Promise<boolean>;
  current: boolean;
};

const NO_DATABASE = {} as Database;

function fakeCell(name: string): FakeCell {
  const calls: string[] = [];
  const noted = (call: string) => async () => void calls.push(call);
  const cell: FakeCell = {
    name,
    database: NO_DATABASE,
    calls,
    ready: async () => true,
    current: true,
    isCurrent: () => cell.current,
    isReady() {
      calls.push('probe');
      return cell.ready();
    },
    prepare: noted('prepare'),
    start: () => void calls.push('start'),
    stop: noted('stop'),
    close: noted('close'),
  };
  return cell;
}

const known = (name: string): KnownCell => ({ name, schema: name, urlVariable: null });

async function openKeeper(t: TestContext, ...names: string[]) {
  const made = new Map<string, FakeCell>();
  const logged: string[] = [];
  const note = ({ cell }: Readonly<{ cell?: unknown }>, message: string) =>
    void logged.push(`${String(cell)}: ${message}`);
  const world = { names, made, logged, unplaced: new Set<string>(), directoryFails: false };
  const keeper = new CellKeeper<FakeCell>({
    async listCells() {
      if (world.directoryFails) throw new Error('no directory');
      return world.names.map(known);
    },
    compose({ name }) {
      if (world.unplaced.has(name)) throw new Error('no address');
      const cell = made.get(name) ?? fakeCell(name);
      made.set(name, cell);
      return cell;
    },
    alone: false,
    logger: { info: note, warn: note, error: note },
  });
  await keeper.load();
  t.after(() => keeper.stop({ withinMs: 0 }));
  const cellOf = (name: string) => made.get(name) ?? assert.fail(`no cell ${name}`);
  return { ...world, world, keeper, cellOf };
}

const isUnavailable = (error: unknown) =>
  error instanceof Refusal &&
  error.code === 'CELL_UNAVAILABLE' &&
  error.detail.retryAfterSeconds === 5;

describe('the keeper of cells', () => {
  it('does not probe a cell alone, and finds it whatever state it is in', async (t) => {
    const { keeper, cellOf } = await openKeeper(t, 'main');
    await keeper.start();
    assert.deepEqual(cellOf('main').calls, ['prepare', 'start']);
    assert.equal(keeper.alone(), cellOf('main'));
    assert.equal(keeper.named('main'), cellOf('main'));
    assert.throws(() => keeper.named('east'), isUnavailable);
    assert.deepEqual(keeper.down(), []);
  });

  it('does not start without a cell alone that cannot be prepared', async (t) => {
    const { keeper, cellOf } = await openKeeper(t, 'main');
    Object.assign(cellOf('main'), { prepare: () => Promise.reject(new Error('no database')) });
    await assert.rejects(keeper.start(), /no database/);
  });

  it('starts a cell that is added, and stops and closes one that is gone', async (t) => {
    const { keeper, cellOf, world } = await openKeeper(t, 'main');
    await keeper.start();
    world.names = ['main', 'east'];
    await pollUntil('the cell is there', () => keeper.answering().length === 2);
    assert.deepEqual(
      keeper.list().map(({ name }) => name),
      ['east', 'main'],
    );
    assert.equal(keeper.alone(), undefined);
    assert.deepEqual(cellOf('east').calls.slice(0, 3), ['probe', 'prepare', 'start']);
    world.names = ['main'];
    await pollUntil('the cell is gone', () => cellOf('east').calls.includes('close'));
    assert.deepEqual(cellOf('east').calls.slice(-2), ['stop', 'close']);
    assert.equal(keeper.alone(), cellOf('main'));
  });

  it('refuses a cell at once that does not know what the directory says now', async (t) => {
    const { keeper, cellOf } = await openKeeper(t, 'main', 'east');
    await keeper.start();
    assert.equal(keeper.named('east'), cellOf('east'));
    cellOf('east').current = false;
    assert.throws(() => keeper.named('east'), isUnavailable);
    assert.deepEqual(keeper.down(), ['east']);
    assert.deepEqual(keeper.answering(), [cellOf('main')]);
    cellOf('east').current = true;
    assert.equal(keeper.named('east'), cellOf('east'));
  });

  it('refuses a cell that does not answer twice, also one that hangs, until it answers again', async (t) => {
    const { keeper, cellOf, logged } = await openKeeper(t, 'main', 'east', 'west');
    await keeper.start();
    assert.deepEqual(keeper.down(), []);
    cellOf('east').ready = () => Promise.reject(new Error('refused'));
    cellOf('west').ready = () => new Promise(() => undefined);
    await pollUntil('both are down', () => keeper.down().length === 2);
    assert.throws(() => keeper.named('east'), isUnavailable);
    assert.throws(() => keeper.named('west'), isUnavailable);
    assert.equal(keeper.named('main'), cellOf('main'));
    assert.equal(cellOf('east').calls.filter((call) => call === 'probe').length, 3);
    cellOf('east').ready = async () => true;
    await pollUntil('it is up', () => keeper.down().join() === 'west');
    assert.equal(keeper.named('east'), cellOf('east'));
    assert.equal(cellOf('east').calls.filter((call) => call === 'start').length, 1);
    assert.ok(logged.includes('east: a cell does not answer: its books are refused until it does'));
    assert.ok(logged.includes('east: a cell answers'));
  });

  it('names a cell whose address is not known once, and starts it when it is', async (t) => {
    const { keeper, logged, world } = await openKeeper(t, 'main');
    await keeper.start();
    world.unplaced.add('east');
    world.names = ['main', 'east'];
    await pollUntil('it is named', () => keeper.down().join() === 'east');
    assert.throws(() => keeper.named('east'), isUnavailable);
    world.unplaced.clear();
    await pollUntil('it is up', () => keeper.down().length === 0);
    assert.equal(logged.filter((line) => line.startsWith('east: the address')).length, 1);
  });

  it('says once why a cell that answers cannot be used, and starts it when it can', async (t) => {
    const { keeper, cellOf, logged } = await openKeeper(t, 'main', 'east');
    const { prepare } = cellOf('east');
    let tries = 0;
    const refuse = () => {
      tries += 1;
      return Promise.reject(new Error('a key is missing'));
    };
    Object.assign(cellOf('east'), { prepare: refuse });
    await keeper.start();
    assert.throws(() => keeper.named('east'), isUnavailable);
    assert.equal(keeper.named('main'), cellOf('main'));
    await pollUntil('it is tried again', () => tries === 2);
    Object.assign(cellOf('east'), { prepare });
    await pollUntil('it is up', () => keeper.down().length === 0);
    const said = 'east: a cell answers and cannot be used: its books are refused until it can';
    assert.equal(logged.filter((line) => line === said).length, 1);
  });

  it('goes on with the cells that it knows while the directory does not answer', async (t) => {
    const { keeper, cellOf, world } = await openKeeper(t, 'main', 'east');
    await keeper.start();
    world.directoryFails = true;
    cellOf('east').ready = async () => false;
    await pollUntil('the cell is down', () => keeper.down().join() === 'east');
    assert.equal(keeper.named('main'), cellOf('main'));
  });
});
