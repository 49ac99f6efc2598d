import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { runCommand } from '../../test/admin-command.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { createUuidV7Source } from '../domain/uuid.ts';
import { readApiKey } from '../merchants/api-key.ts';
import { createProgram } from './create-program.ts';

const NEW_ID = createUuidV7Source(Date.now, (bytes) => randomFillSync(bytes));

const VERBS =
  'Add|Administer|Ask|Check|Close|Compare|Create|Credit|Decide|End|Grant|Hold|Inspect|Invite|Let|Limit|List|Migrate|Move|' +
  'Open|Record|Release|Remove|Replace|Revoke|Set|Show|Stop|Take|Verify|Withdraw';
const LISTED_COMMAND = new RegExp(`^ {2}\\S.* {2}(${VERBS})\\b.*[^.]$`);

function createSilentProgram() {
  const perform = async (): Promise<void> => undefined;
  const write = (): void => undefined;
  return createProgram({ perform, performAlone: perform, writeOut: write, writeHelp: write });
}

describe('the administration', () => {
  let test: TestDatabase;

  const run = (...argv: readonly string[]) => runCommand(test, {}, argv);

  // Tests look into documents of any shape; what is not there fails the assertion on it.
  async function runJson(...argv: readonly string[]) {
    const { exitCode, out, error } = await run(...argv, '--json');
    assert.equal(error, '');
    return { exitCode, json: JSON.parse(out) as Record<string, Record<string, unknown>> };
  }

  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.drop());

  it('leads from nothing to a funded wallet and a key, by its own words', async () => {
    assert.match((await run('merchants', 'list')).out, /no merchants yet.* merchants create NAME/);
    const fees = ['--fee-fixed', '0.50', '--fee-percent', '1.5'];
    const created = await runJson('merchants', 'create', 'Zambezi Tours', ...fees);
    assert.equal(created.exitCode, 0);
    const merchant = String(created.json.merchant?.id);
    const book = ['--merchant', 'zambezi tours', '--mode', 'test'];

    const wallet = await runJson('wallets', 'create', ...book, '--currency', 'zmw');
    const walletId = String(wallet.json.wallet?.id);
    const funding = ['wallets', 'fund', walletId, '1000.50', '--reference', 'bank 1'];
    const funded = await runJson(...funding);
    assert.equal(funded.json.wallet?.available, '1000.50');
    assert.equal(funded.json.already, false);
    const again = await runJson(...funding);
    assert.equal(again.exitCode, 0);
    assert.equal(again.json.wallet?.available, '1000.50');
    assert.equal(again.json.already, true);

    const key = await run('keys', 'create', ...book, '--scope', 'read', '--expires-in', '90d');
    assert.match(key.out, /only time the key is shown/);
    const text = /sk_test_\w+/.exec(key.out)?.[0] ?? '';
    assert.equal(readApiKey(text)?.mode, 'test');
    const listed = await run('keys', 'list', '--merchant', merchant);
    assert.ok(!listed.out.includes(text));
    assert.match(listed.out, /live +read +any/);
    assert.match((await run('merchants', 'list')).out, /Zambezi Tours +\S+ +1 +1 +0\.50 \+ 1\.50%/);
  });

  it('changes fees, limits and the standing of wallets and keys', async () => {
    await run('merchants', 'create', 'Changes');
    const fee = ['--mode', 'live', '--fixed', '1', '--percent', '0.25'];
    const fees = await runJson('merchants', 'fees', 'changes', ...fee);
    assert.deepEqual(fees.json.merchant?.fees, {
      test: { fixed: '0.00', percent: '0.00' },
      live: { fixed: '1.00', percent: '0.25' },
    });
    const book = ['--merchant', 'Changes', '--mode', 'live'];
    const created = await runJson('wallets', 'create', ...book, '--currency', 'NGN');
    const walletId = String(created.json.wallet?.id);
    const wallet = async (...argv: string[]) => (await runJson('wallets', ...argv)).json.wallet;
    assert.equal((await wallet('limit', walletId, '500'))?.dailyLimit, '500.00');
    assert.equal((await wallet('limit', walletId, 'none'))?.dailyLimit, null);
    assert.equal((await wallet('freeze', walletId))?.status, 'frozen');
    assert.match((await run('wallets', 'list', '--merchant', 'Changes')).out, /frozen/);
    assert.equal((await wallet('unfreeze', walletId))?.status, 'active');

    const key = (await runJson('keys', 'create', ...book)).json.key;
    const rotated = await runJson('keys', 'rotate', String(key?.id));
    assert.equal(rotated.json.old?.standing, 'live');
    assert.notEqual(rotated.json.old?.expiresAt, null);
    assert.equal(rotated.json.key?.expiresAt, null);
    const now = await runJson('keys', 'rotate', String(rotated.json.key?.id), '--now');
    assert.equal(now.json.old?.standing, 'revoked');
    const revoked = await runJson('keys', 'revoke', String(now.json.key?.id));
    assert.equal(revoked.json.key?.standing, 'revoked');
    assert.equal(revoked.json.already, false);
  });

  it('verifies the ledger, and fails with the place when it is wrong', async () => {
    const right = await run('ledger', 'verify');
    assert.equal(right.exitCode, 0);
    assert.match(right.out, /^The ledger is right/);
    const text = `
      update wallets set available_minor = available_minor + 1
      where id = (select min(id::text)::uuid from wallets) returning id`;
    const [damaged] = await test.database.query({ name: '', text });
    const wrong = await run('ledger', 'verify');
    assert.equal(wrong.exitCode, 1);
    assert.match(
      wrong.out,
      new RegExp(`wallet balance: says available .*\n.*wallet ${String(damaged?.id)}`),
    );
    const { exitCode, json } = await runJson('ledger', 'verify');
    assert.equal(exitCode, 1);
    assert.equal(json.ok, false);
    assert.equal(json.problemsTotal, 1);
    const repair = 'update wallets set available_minor = available_minor - 1 where id = $1';
    await test.database.query({ name: '', text: repair }, [damaged?.id]);
  });

  it('names variables that are misspelt, and still does its work', async () => {
    const env = { DATABSE_URL: 'postgres://u:hunter2@h/x', DATA_DIR: 'data' };
    const { exitCode, warnings } = await runCommand(test, env, ['stuck']);
    assert.equal(exitCode, 0);
    const said = 'WARNING: DATABSE_URL is not read. Did you mean DATABASE_URL?';
    assert.deepEqual(warnings, [said]);
    assert.deepEqual((await run('stuck')).warnings, []);
  });

  it('says that nothing is stuck', async () => {
    assert.equal(
      (await run('stuck')).out,
      'Nothing is stuck in a live book. "--mode all" lists test books too.\n',
    );
    const none = { stuck: [], more: false, unansweredCells: [] };
    assert.deepEqual((await runJson('stuck')).json, none);
  });

  it('refuses with a sentence and what to do, on standard error', async () => {
    const { exitCode, out, error } = await run('keys', 'list', '--merchant', 'Unknown');
    assert.equal(exitCode, 1);
    assert.equal(out, '');
    assert.equal(
      error,
      'There is no merchant with this name or id.\n"merchants list" shows them all.\n',
    );
  });

  it('refuses in JSON when asked for JSON, also what it does not understand', async () => {
    const refused = await runJson('wallets', 'freeze', NEW_ID());
    assert.equal(refused.exitCode, 1);
    assert.deepEqual(refused.json, {
      error: {
        code: 'WALLET_NOT_FOUND',
        message: 'There is no wallet with this id.',
        whatToDo: '"wallets list" shows them all.',
      },
    });
    for (const argv of [
      [],
      ['wallets'],
      ['nonsense'],
      ['keys', 'create'],
      ['stuck', '--nonsense'],
    ]) {
      const { exitCode, json } = await runJson(...argv);
      assert.equal(exitCode, 64, argv.join(' '));
      assert.match(String(json.error?.whatToDo), /^See: npm run admin -- .*--help$/);
    }
  });

  it('refuses wrong arguments with 64 before it opens the database', async () => {
    const book = ['--merchant', 'Changes', '--mode', 'test'];
    const wrong = [
      ['merchants', 'create'],
      ['merchants', 'create', 'X', '--fee-fixed', '1,5'],
      ['merchants', 'create', 'X', '--fee-percent', '101'],
      ['merchants', 'list', 'surplus'],
      ['keys', 'create', '--merchant', 'Changes', '--mode', 'prod'],
      ['keys', 'create', ...book, '--scope', 'all'],
      ['keys', 'create', ...book, '--expires-in', 'tomorrow'],
      ['keys', 'rotate', NEW_ID(), '--now', '--overlap', '1h'],
      ['wallets', 'create', ...book, '--currency', 'USD'],
      ['wallets', 'fund', NEW_ID(), '1e3', '--reference', 'x'],
      ['wallets', 'fund', NEW_ID(), '-5', '--reference', 'x'],
      ['wallets', 'fund', NEW_ID(), '5'],
      ['wallets', 'limit', NEW_ID(), '0'],
    ];
    for (const argv of wrong) {
      const { exitCode, opened, error } = await run(...argv);
      assert.equal(exitCode, 64, argv.join(' '));
      assert.equal(opened, 0, argv.join(' '));
      assert.match(error, /^[A-Z].*[.)]\nSee: npm run admin -- .*--help\n$/);
    }
  });

  it('lists each group and command in one line of 80 columns that begins with a verb', () => {
    const program = createSilentProgram();
    const lists = [program, ...program.commands.filter(({ commands }) => commands.length > 0)];
    for (const list of lists) {
      const lines = list.helpInformation().split('Commands:\n')[1]?.trimEnd().split('\n') ?? [];
      assert.equal(lines.length, list.commands.length + 1, lines.join('\n'));
      for (const line of lines) assert.match(line, LISTED_COMMAND);
    }
  });

  it('shows help with examples for every command', async () => {
    const program = createSilentProgram();
    const leaves = program.commands.flatMap((command) =>
      command.commands.length === 0
        ? [[command.name()]]
        : command.commands.map((leaf) => [command.name(), leaf.name()]),
    );
    assert.equal(leaves.length, 54);
    for (const leaf of leaves) {
      const { exitCode, out } = await run(...leaf, '--help');
      assert.equal(exitCode, 0);
      assert.match(out, new RegExp(`Examples:\n  npm run admin -- ${leaf.join(' ')}`));
      assert.match(out, /--json/);
    }
    assert.match((await run('--help')).out, /Exit codes: 0 done; 1 refused/);
    assert.equal((await run('help', 'keys')).exitCode, 0);
  });
});
