import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { moveTo, newTestId, storeDoubt } from '../../test/stored-doubt.ts';
import { TEST_ACTOR } from '../../test/test-actor.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { ACT_KINDS } from '../acts/act.ts';
import { openIncident } from '../transfers/move/open-incident.ts';
import { createProgram } from './create-program.ts';
import { runAdmin } from './run-admin.ts';
import type { ActJson } from './show-acts.ts';

const ROUTE = {
  name: 'zamtel-zm',
  connector: 'zamtel',
  operator: 'zamtel',
  country: 'zm',
  settings: {
    thirdPartyId: 'us',
    password: 'open/sesame',
    shortcode: '1234',
    identifier: 'me',
    credential: 'credential-1',
    baseUrl: 'http://127.0.0.1:9/',
  },
};
const MERCHANT = 'Zambezi Tours';
/** Written before the network begins; what it asks of an operator is tested with the recall itself. */
const NEEDS_OPERATOR = ['TRANSFER_RECALLED'];
/** Recorded in the directory; the tests of moves and of the commands on cells have two. */
const NEEDS_TWO_CELLS = [
  'CELL_ADDED',
  'CELL_CLOSED',
  'CELL_OPENED',
  'MERCHANT_MOVE_BEGAN',
  'MERCHANT_MOVED',
  'MERCHANT_MOVE_UNDONE',
  'MERCHANT_FORGOTTEN',
];
/** What people do with a session and not on the command line. */
const NEEDS_SESSION = [
  'TRANSFER_INQUIRED',
  'TRANSFER_CANCELLED',
  'PHONE_REVEALED',
  'PASSWORD_CHANGED',
  'TOTP_SET',
  'RECOVERY_CODES_MADE',
  'ACCOUNT_RESET',
  'SESSION_ENDED',
  'PASSKEY_ADDED',
  'PASSKEY_REMOVED',
  'FLOAT_EXPLAINED',
  'HOLIDAY_ENTERED',
  'HOLIDAY_REMOVED',
];
/** What keys and people do in a book, and not on the command line. */
const NEEDS_BOOK = [
  'KEY_CONFIRMED',
  'POLICY_DRAFT_SAVED',
  'POLICY_DRAFT_DISCARDED',
  'POLICY_PROPOSED',
  'POLICY_PUBLISHED',
  'WEBHOOK_CREATED',
  'WEBHOOK_CHANGED',
  'WEBHOOK_DELETED',
  'WEBHOOK_SECRET_ROTATED',
  'DELIVERY_REPLAYED',
  'DELIVERIES_REPLAYED',
  'RECIPIENT_CREATED',
  'PAYOUT_FILE_UPLOADED',
  'PAYOUT_FILE_CHANGED',
  'PAYOUT_FILE_DELETED',
  'PAYOUT_FILE_NAMES_ASKED',
  'PAYOUT_ROW_CORRECTED',
  'PAYOUT_ROW_DROPPED',
  'PAYOUT_ROW_RESTORED',
  'PAYOUT_ROWS_DROPPED',
  'TRANSFER_CANCELLED',
  'TRANSFER_APPROVED',
  'TRANSFER_REJECTED',
  'APPROVAL_RECALLED',
  'PAYOUT_FILE_SUBMITTED',
  'PAYOUT_FILE_APPROVED',
  'PAYOUT_FILE_REJECTED',
  'PAYOUT_FILE_CANCELLED',
  'FAILED_ROWS_COPIED',
  'SCHEDULE_CREATED',
  'SCHEDULE_CHANGED',
  'SCHEDULE_PAUSED',
  'SCHEDULE_RESUMED',
  'SCHEDULE_ENDED',
];
/** Tested with the commands on people, and with their calls. */
const OF_PEOPLE = [
  'PERSON_INVITED',
  'INVITATION_WITHDRAWN',
  'INVITATION_ACCEPTED',
  'ROLES_CHANGED',
  'PERSON_REMOVED',
  'SESSIONS_ENDED',
  'LIST_ENTRY_ADDED',
  'LIST_ENTRY_ENDED',
  'SCREENER_ADDED',
  'SCREENER_REMOVED',
];

/** Commands that change nothing that people answer for. */
const READING = [
  'merchants list',
  'keys list',
  'wallets list',
  'ledger verify',
  'stuck',
  'transfers in-doubt',
  'transfers show',
  'incidents list',
  'administrators list',
  'administrators acts',
  'people list',
  'people code',
  'cells list',
  'cells check',
  'routes check',
  'routes float',
  'routes list',
  'database migrate',
  'database grant',
];
/** Their acts need an operator, two cells or people, as above. */
const RUN_ELSEWHERE = [
  'transfers recall',
  'merchants move',
  'cells add',
  'cells close',
  'cells open',
  'people invite',
  'people roles',
  'people remove',
  'people sessions',
];
const ran = new Set<string>();

let test: TestDatabase;
let folder: string;
let routesFile: string;
const keys: Record<string, string> = {};
before(async () => {
  test = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'kafue-acts-'));
  routesFile = join(folder, 'routes.json');
  await writeFile(routesFile, JSON.stringify({ routes: [ROUTE] }));
});
after(async () => {
  await test.drop();
  await rm(folder, { recursive: true, force: true });
});

type Json = Record<string, Record<string, unknown>>;
type Options = Readonly<{ as?: string; newId?: () => string }>;

async function tryRun({ as, newId = newTestId }: Options, argv: readonly string[]) {
  let out = '';
  const warned: string[] = [];
  const exitCode = await runAdmin({
    argv: [...argv, '--json'],
    writeOut: (text) => {
      out += text;
    },
    writeError: () => undefined,
    openDatabase: async () => ({
      directory: test.directory,
      cells: test.cells,
      close: async () => undefined,
      abandon: async () => undefined,
    }),
    now: () => new Date(),
    newId,
    randomBytes,
    env: { ROUTES_FILE: routesFile, ...(as === undefined ? {} : { ADMIN_KEY: keys[as] ?? '' }) },
    machine: TEST_ACTOR,
    warn: (line) => void warned.push(line),
    showProgress: () => undefined,
  });
  return { exitCode, json: JSON.parse(out) as Json, warned };
}

async function run(as: string | undefined, ...argv: readonly string[]): Promise<Json> {
  const command = argv.slice(0, 2).join(' ');
  const isReading = READING.includes(command);
  const before = isReading ? undefined : await last();
  const { exitCode, json } = await tryRun(as === undefined ? {} : { as }, argv);
  assert.equal(exitCode, 0, JSON.stringify(json));
  if (!isReading) assert.notEqual((await last())?.id, before?.id, `${command} recorded nothing`);
  ran.add(command);
  return json;
}

async function acts(...options: readonly string[]): Promise<readonly ActJson[]> {
  return (await run(undefined, 'administrators', 'acts', ...options)).acts as unknown as ActJson[];
}

const last = async () => (await acts())[0];
const about = (act: ActJson | undefined) => [act?.actor, act?.kind, act?.before, act?.after];

async function add(name: string, as?: string): Promise<void> {
  keys[name] = String((await run(as, 'administrators', 'add', name)).administrator?.key);
}

describe('what administrators do', () => {
  let wallet: string;

  it('is recorded with who did it, before and after, also without a key', async () => {
    await add('Chanda');
    await add('Mutinta', 'Chanda');
    await run(undefined, 'merchants', 'create', MERCHANT, '--fee-fixed', '0.50');
    const machine = 'tester@test.example';
    const name = { name: MERCHANT, feeFixed: '0.50', feePercent: '0.00' };
    assert.deepEqual(about(await last()), [machine, 'MERCHANT_CREATED', null, name]);
    const fees = ['--mode', 'live', '--fixed', '1', '--percent', '2.5'];
    await run('Chanda', 'merchants', 'fees', MERCHANT, ...fees);
    assert.deepEqual(about(await last()), [
      'Chanda',
      'FEES_SET',
      { mode: 'live', feeFixed: '0.50', feePercent: '0.00' },
      { mode: 'live', feeFixed: '1.00', feePercent: '2.50' },
    ]);
    const of = ['--merchant', MERCHANT, '--mode', 'live', '--currency', 'ZMW'];
    const created = await run('Chanda', 'wallets', 'create', ...of);
    wallet = String(created.wallet?.id);
    await run('Chanda', 'wallets', 'fund', wallet, '100', '--reference', 'bank-7');
    const money = { mode: 'live', currency: 'ZMW' };
    const funded = await last();
    assert.equal(funded?.reason, 'bank-7');
    assert.equal(funded?.merchant, MERCHANT);
    assert.deepEqual(about(funded), [
      'Chanda',
      'WALLET_FUNDED',
      { ...money, available: '0.00' },
      { ...money, available: '100.00' },
    ]);
    await run('Mutinta', 'wallets', 'freeze', wallet);
    const frozen = [{ status: 'active' }, { status: 'frozen' }];
    assert.deepEqual(about(await last()), ['Mutinta', 'WALLET_FROZEN', ...frozen]);
    await run('Mutinta', 'wallets', 'unfreeze', wallet);
    await run('Mutinta', 'wallets', 'limit', wallet, '50000');
    const limited = [{ dailyLimit: null }, { dailyLimit: '50000.00' }];
    assert.deepEqual(about(await last()), ['Mutinta', 'WALLET_LIMIT_SET', ...limited]);
    await run('Mutinta', 'wallets', 'low-balance', wallet, '10');
  });

  it('is recorded of keys without the keys, and of what is stopped with the reason', async () => {
    const created = await run('Chanda', 'keys', 'create', '--merchant', MERCHANT, '--mode', 'live');
    const id = String(created.key?.id);
    const rotated = await run('Chanda', 'keys', 'rotate', id, '--now');
    await run('Chanda', 'keys', 'revoke', String(rotated.key?.id));
    const [revoked] = await acts('--kind', 'KEY_REVOKED');
    assert.equal(revoked?.before?.revokedAt, null);
    assert.notEqual(revoked?.after?.revokedAt, null);
    const stored = JSON.stringify(await acts());
    assert.ok(!stored.includes(String(created.key?.apiKey)));
    assert.ok(!stored.includes(String(rotated.key?.apiKey)));
    await run('Chanda', 'merchants', 'suspend', MERCHANT, '--reason', 'stolen key');
    const suspended = await last();
    assert.equal(suspended?.reason, 'stolen key');
    assert.deepEqual(
      [suspended?.before, suspended?.after],
      [{ suspended: false }, { suspended: true }],
    );
    const listed = (await run(undefined, 'merchants', 'list')).merchants as unknown as Json[];
    assert.notEqual(listed[0]?.suspendedAt, null);
    const again = await tryRun({}, ['merchants', 'suspend', MERCHANT, '--reason', 'again']);
    assert.equal(again.json.error?.code, 'MERCHANT_SUSPENDED');
    await run('Chanda', 'merchants', 'resume', MERCHANT, '--reason', 'new keys');
    for (const command of ['hold', 'release', 'close', 'open']) {
      await run('Chanda', 'routes', command, 'zamtel-zm', '--reason', 'maintenance');
    }
  });

  it('is recorded of decisions that take two, and of what replaces a lone administrator', async () => {
    const takeBack = ['wallets', 'take-back', wallet, '--reference', 'bank-7', '--reason', 'list'];
    await run('Chanda', ...takeBack);
    await run('Mutinta', 'wallets', 'keep-funding', wallet, '--reference', 'bank-7');
    await run('Chanda', ...takeBack);
    const taken = await run('Mutinta', ...takeBack);
    assert.deepEqual([taken.carriedOut, taken.available], [true, '0.00']);
    const refunded = await tryRun({}, ['wallets', 'fund', wallet, '100', '--reference', 'bank-7']);
    assert.equal(refunded.json.error?.code, 'FUNDING_REFERENCE_TAKEN_BACK');
    const doubt = await storeDoubt(test.database);
    const resolve = ['transfers', 'resolve', doubt.id, '--not-paid', '--evidence', 'statement'];
    await run('Chanda', ...resolve);
    await run('Mutinta', 'transfers', 'withdraw', doubt.id);
    await run('Chanda', ...resolve);
    await run('Mutinta', ...resolve);
    const paid = await moveTo(test.database, await storeDoubt(test.database), 'succeeded');
    const reverse = ['transfers', 'reverse', paid.id, '--evidence', 'credit note'];
    await run('Chanda', ...reverse);
    await run('Mutinta', ...reverse);
    const incident = {
      id: newTestId(),
      transfer: doubt,
      kind: 'paid_after_failure',
      at: new Date(),
    } as const;
    await openIncident(test.database, incident);
    await run('Chanda', 'incidents', 'close', incident.id, '--note', 'settled');
    await run('Chanda', 'administrators', 'remove', 'Mutinta');
    const replace = ['administrators', 'replace', 'Bwalya', '--reason', 'laptop stolen'];
    const { exitCode, json, warned } = await tryRun({}, replace);
    assert.equal(exitCode, 0, JSON.stringify(json));
    assert.match(warned.join(), /WARNING: tester@test\.example replaced .* Chanda by Bwalya/);
    ran.add('administrators replace');
    const kinds = new Set((await acts()).map(({ kind }) => kind));
    const missing = new Set(ACT_KINDS.filter((kind) => !kinds.has(kind)));
    const expected = new Set([
      ...NEEDS_OPERATOR,
      ...NEEDS_TWO_CELLS,
      ...NEEDS_SESSION,
      ...NEEDS_BOOK,
      ...OF_PEOPLE,
    ]);
    assert.deepEqual(missing, expected, 'an act without a command that was run here');
  });

  it('is recorded of every command that changes something', () => {
    const nothing = async () => undefined;
    const program = createProgram({
      perform: nothing,
      performAlone: nothing,
      writeOut: () => undefined,
      writeHelp: () => undefined,
    });
    const changing = program.commands
      .flatMap((group) =>
        group.commands.length === 0
          ? [group.name()]
          : group.commands.map((command) => `${group.name()} ${command.name()}`),
      )
      .filter((name) => !READING.includes(name) && !RUN_ELSEWHERE.includes(name));
    assert.deepEqual(
      changing.filter((name) => !ran.has(name)),
      [],
    );
  });

  it('is listed by actor, merchant, kind and time', async () => {
    const all = await acts();
    const count = async (...options: readonly string[]) => (await acts(...options)).length;
    const of = (keep: (act: ActJson) => boolean) => all.filter(keep).length;
    assert.equal(
      await count('--actor', 'mutinta'),
      of(({ actor }) => actor === 'Mutinta'),
    );
    assert.equal(
      await count('--merchant', MERCHANT),
      of(({ merchant }) => merchant === MERCHANT),
    );
    assert.equal(await count('--kind', 'FEES_SET'), 1);
    const [newest] = all;
    const at = String(newest?.at);
    assert.equal(
      await count('--from', at),
      of((act) => String(act.at) >= at),
    );
    assert.equal(
      await count('--to', at),
      of((act) => String(act.at) < at),
    );
    assert.equal(await count('--from', '2020-01-01', '--to', '2020-01-02'), 0);
    assert.equal((await tryRun({}, ['administrators', 'acts', '--from', 'monday'])).exitCode, 64);
    assert.equal((await tryRun({}, ['administrators', 'acts', '--kind', 'SLEPT'])).exitCode, 64);
  });

  it('is not done when it cannot be recorded, nor recorded when it is not done', async () => {
    const all = await acts();
    const [newest] = all;
    // An id that the record of the cell has already: the last thing that each of these writes.
    const kept = all.find(({ kind }) => kind === 'WALLET_FUNDED');
    const newId = () => kept?.id ?? '';
    const commands = [
      ['wallets', 'fund', wallet, '5', '--reference', 'unrecorded'],
      ['wallets', 'freeze', wallet],
      ['merchants', 'suspend', MERCHANT, '--reason', 'unrecorded'],
      ['merchants', 'fees', MERCHANT, '--mode', 'live', '--fixed', '9', '--percent', '9'],
    ];
    const stored = async () => [
      await run(undefined, 'wallets', 'list', '--merchant', MERCHANT),
      await run(undefined, 'merchants', 'list'),
    ];
    const before = await stored();
    for (const argv of commands) assert.equal((await tryRun({ newId }, argv)).exitCode, 1);
    assert.deepEqual(await stored(), before);
    // Nor is it recorded when it is not done: here the commit fails.
    const query = (text: string) => test.database.query({ name: '', text });
    await query(`create function fail() returns trigger language plpgsql as
                 'begin raise exception ''no commit''; end'`);
    for (const table of ['wallets', 'books']) {
      await query(`create constraint trigger fails after update on ${table}
                   deferrable initially deferred for each row execute function fail()`);
    }
    for (const argv of commands) assert.equal((await tryRun({}, argv)).exitCode, 1);
    for (const table of ['wallets', 'books']) await query(`drop trigger fails on ${table}`);
    assert.deepEqual(await stored(), before);
    assert.equal((await acts())[0]?.id, newest?.id);
  });

  it('is refused with a key that opens nothing, rather than done without one', async () => {
    keys.Stranger = `adm_${'0'.repeat(48)}`;
    const { exitCode, json } = await tryRun({ as: 'Stranger' }, ['wallets', 'freeze', wallet]);
    assert.deepEqual([exitCode, json.error?.code], [1, 'ADMIN_KEY_UNKNOWN']);
  });
});
