import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { newTestId } from '../../test/stored-doubt.ts';
import { TEST_ACTOR } from '../../test/test-actor.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { readStoppedRoutes } from '../resolutions/list-route-stops.ts';
import { runAdmin } from './run-admin.ts';

const BASE_URL = 'http://127.0.0.1:9/';
const ZAMTEL = {
  connector: 'zamtel',
  operator: 'zamtel',
  country: 'zm',
  settings: {
    thirdPartyId: 'us',
    password: 'p',
    shortcode: '1234',
    identifier: 'me',
    credential: 'c',
    baseUrl: BASE_URL,
  },
};
const PAWAPAY = { connector: 'pawapay', settings: { apiToken: 't'.repeat(20), baseUrl: BASE_URL } };
/** The first cannot recognise its orders; two share a pair; the last is alone and recognises them. */
const ROUTES = [
  { name: 'zamtel-zm', ...ZAMTEL },
  { name: 'mtn-zm', ...PAWAPAY, operator: 'mtn', country: 'zm', priority: 1 },
  { name: 'mtn-zm-2', ...PAWAPAY, operator: 'mtn', country: 'zm', priority: 2 },
  { name: 'airtel-ng', ...PAWAPAY, operator: 'airtel', country: 'ng' },
];

describe('holding routes', () => {
  let test: TestDatabase;
  let folder: string;
  const env: Record<string, string> = {};
  before(async () => {
    test = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'kafue-holds-'));
    env['ROUTES_FILE'] = join(folder, 'routes.json');
    await writeFile(env['ROUTES_FILE'], JSON.stringify({ routes: ROUTES }));
    const { out } = await run('administrators', 'add', 'Chanda', '--json');
    env['ADMIN_KEY'] = (JSON.parse(out) as { administrator: { key: string } }).administrator.key;
  });
  afterEach(() => test.database.query({ name: '', text: 'delete from route_holds' }));
  after(async () => {
    await test.drop();
    await rm(folder, { recursive: true, force: true });
  });

  async function run(...argv: readonly string[]) {
    return runWith(env, argv);
  }

  async function runWith(given: Readonly<Record<string, string>>, argv: readonly string[]) {
    let [out, error] = ['', ''];
    const exitCode = await runAdmin({
      argv,
      writeOut: (text) => {
        out += text;
      },
      writeError: (text) => {
        error += text;
      },
      openDatabase: async () => ({
        directory: test.directory,
        cells: test.cells,
        close: async () => undefined,
        abandon: async () => undefined,
      }),
      now: () => new Date(),
      newId: newTestId,
      randomBytes,
      env: given,
      machine: TEST_ACTOR,
      warn: () => undefined,
      showProgress: () => undefined,
    });
    return { exitCode, out, error };
  }

  const stoppedNow = async (effect: 'held' | 'closed') =>
    (await readStoppedRoutes(test.database)).flatMap((one) =>
      one.effect === effect ? [one.route] : [],
    );
  const heldNow = () => stoppedNow('held');

  it('holds by name, says so, and puts on record who did it and why', async () => {
    const held = await run('routes', 'hold', 'zamtel-zm', 'mtn-zm', '--reason', 'ticket 4711');
    assert.equal(held.exitCode, 0, held.error);
    assert.deepEqual(await heldNow(), ['mtn-zm', 'zamtel-zm']);
    const { out } = await run('routes', 'list');
    assert.match(out, /zamtel-zm +zamtel zm +held +\S+ \S+Z +Chanda +0 +ticket 4711/);
    assert.match(out, /airtel-ng +airtel ng +open +- +- +- +-/);
    const released = await run('routes', 'release', 'zamtel-zm', '--reason', 'compared');
    assert.equal(released.exitCode, 0, released.error);
    assert.deepEqual(await heldNow(), ['mtn-zm']);
    const { out: acts } = await run('administrators', 'acts');
    assert.match(
      acts,
      /ROUTE_HELD by Chanda\n +on +zamtel-zm\n +before +route open\n +after +route held\n +why +ticket 4711/,
    );
    assert.match(acts, /ROUTE_RELEASED by Chanda\n +on +zamtel-zm\n[^]*why +compared/);
  });

  it('closes and opens by name, apart from holds, with who did it and why', async () => {
    const closed = await run('routes', 'close', 'mtn-zm', '--reason', 'maintenance');
    assert.equal(closed.exitCode, 0, closed.error);
    assert.deepEqual([await stoppedNow('closed'), await heldNow()], [['mtn-zm'], []]);
    const { out } = await run('routes', 'list');
    assert.match(out, /mtn-zm +mtn zm +closed +\S+ \S+Z +Chanda +0 +maintenance/);
    const held = await run('routes', 'hold', 'mtn-zm', '--reason', 'restored');
    assert.match(held.error, /mtn-zm is closed already[^]*routes open mtn-zm/);
    const released = await run('routes', 'release', 'mtn-zm', '--reason', 'wrong word');
    assert.match(released.error, /mtn-zm is not held/);
    const opened = await run('routes', 'open', 'mtn-zm', '--reason', 'it is back');
    assert.equal(opened.exitCode, 0, opened.error);
    assert.deepEqual(await stoppedNow('closed'), []);
    const { out: acts } = await run('administrators', 'acts', '--kind', 'ROUTE_OPENED');
    assert.match(
      acts,
      /ROUTE_OPENED by Chanda\n +on +mtn-zm\n +before +route closed\n[^]*why +it is back/,
    );
    const misspelt = await run('routes', 'close', 'mtm-zm', '--reason', 'maintenance');
    assert.match(misspelt.error, /no route mtm-zm/);
  });

  it('holds after a restore every route that could pay twice, and no other', async () => {
    const { exitCode, error } = await run(
      'routes',
      'hold',
      '--after-restore',
      '--reason',
      'restored',
    );
    assert.equal(exitCode, 0, error);
    assert.deepEqual(await heldNow(), ['mtn-zm', 'mtn-zm-2', 'zamtel-zm']);
  });

  it('holds all that are named, or none', async () => {
    await run('routes', 'hold', 'zamtel-zm', '--reason', 'first');
    const again = await run('routes', 'hold', 'airtel-ng', 'zamtel-zm', '--reason', 'second');
    assert.equal(again.exitCode, 1);
    assert.match(again.error, /zamtel-zm is held already/);
    assert.deepEqual(await heldNow(), ['zamtel-zm']);
    const wrong = await run('routes', 'release', 'airtel-ng', '--reason', 'not held');
    assert.equal(wrong.exitCode, 1);
    assert.match(wrong.error, /airtel-ng is not held/);
  });

  it('refuses what would hold nothing: a misspelt name, no name, no key', async () => {
    const misspelt = await run('routes', 'hold', 'zamtle-zm', '--reason', 'ticket');
    assert.match(misspelt.error, /no route zamtle-zm[^]*zamtel-zm/);
    const unnamed = await run('routes', 'hold', '--reason', 'ticket');
    assert.match(unnamed.error, /Name them/);
    const both = await run('routes', 'hold', 'zamtel-zm', '--after-restore', '--reason', 'ticket');
    assert.match(both.error, /Name them/);
    const hold = ['routes', 'hold', 'zamtel-zm', '--reason', 'ticket'];
    const keyless = await runWith({ ...env, ADMIN_KEY: '' }, hold);
    assert.match(keyless.error, /ADMIN_KEY is not set/);
    for (const { exitCode } of [misspelt, unnamed, both, keyless]) assert.equal(exitCode, 1);
    assert.deepEqual(await heldNow(), []);
  });
});
