import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { volume } from '../scripts/test-volume.ts';
import { Kafue } from '../sdk/src/index.ts';
import { verifyLedger } from '../service/src/ledger/verify-ledger.ts';
import { pollUntil } from '../service/test/poll.ts';
import { putPolicy } from '../service/test/put-policy.ts';
import { type RunningService, startService } from '../service/test/running-service.ts';
import { createTestBook } from '../service/test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../service/test/test-database.ts';
import { createTestMerchant, type TestMerchant } from '../service/test/test-merchant.ts';
import { storePerson } from '../service/test/test-person.ts';
import { uploadFiles } from './src/pay/upload-files.ts';
import { payoutOf } from './test/fake-kafue.ts';
import { readResult } from './test/read-result.ts';
import { runHere } from './test/run-here.ts';
import { type KafueRun, startKafue } from './test/run-kafue.ts';

const LINES = volume({ usual: 600, full: 2_000 });

let test: TestDatabase;
let service: RunningService;
let merchant: TestMerchant;
let folder: string;

before(async () => {
  test = await createTestDatabase();
  service = await startService({ databaseUrl: test.connectionString });
});
beforeEach(async () => {
  merchant = await createTestMerchant(test.database);
  folder = await mkdtemp(join(tmpdir(), 'kafue-cli-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));
after(async () => {
  await service?.end();
  await test?.drop();
});

function environment() {
  return { KAFUE_API_KEY: merchant.keys.test, KAFUE_URL: service.baseUrl };
}

function pay(args: readonly string[], env: Record<string, string> = environment()) {
  return runHere(['pay', ...args], { env, folder });
}

/** With a person at the terminal. */
function payAsked(answer: string, args: readonly string[]) {
  const unasked = args.filter((arg) => arg !== '--yes');
  return runHere(['pay', ...unasked], { env: environment(), folder, answer });
}

async function writePayouts(lines: readonly string[], header = 'amount,phone,narration') {
  await writeFile(join(folder, 'payouts.csv'), [header, ...lines, ''].join('\n'));
}

function payArgs(...more: readonly string[]): readonly string[] {
  const from = ['--wallet', merchant.wallets.test.ZMW, '--country', 'zm', '--operator', 'mtn'];
  return ['payouts.csv', ...from, '--yes', ...more];
}

/** Every transfer of the merchant, straight from the database. */
function storedTransfers() {
  return test.database.query<{ reference: string; state: string; amount: bigint; phone: string }>(
    {
      name: '',
      text: `select reference, state, amount_minor as amount, phone
             from transfers where book_id = $1`,
    },
    [merchant.books.test],
  );
}

/** The merchant's payout files. */
function storedFiles() {
  return test.database.query<{ id: string; state: string; content_hash: string }>(
    { name: '', text: 'select id, state, content_hash from payout_files where book_id = $1' },
    [merchant.books.test],
  );
}

const resultOf = () => readResult(join(folder, 'payouts.result.csv'));

describe('kafue pay', () => {
  it(`pays each of ${LINES} lines exactly once although it is killed again and again`, async () => {
    // Equal lines among them, which must stay as many payouts.
    const lines = Array.from({ length: LINES }, (_, n) => {
      const number = String(n % (LINES - LINES / 4)).padStart(4, '0');
      return `${1 + (n % 7)}.0${n % 10},097${number}500,November`;
    });
    await writePayouts(lines);
    const kill = async (when: (run: KafueRun) => Promise<boolean> | boolean) => {
      const run = startKafue(['pay', ...payArgs()], { env: environment(), folder });
      await pollUntil('it is so far', () => when(run));
      run.child.kill('SIGKILL');
      assert.equal(await run.ended, null);
    };
    // While its upload is checked or waits to be submitted, and while the service pays it.
    await kill(async () => (await storedFiles()).length > 0);
    await kill((run) => run.error().includes('Sent '));

    const last = await pay(payArgs('--watch'));
    assert.equal(last.code, 0, last.error + last.out);
    // No run began anew what another had begun.
    assert.equal((await storedFiles()).length, 1);
    const stored = await storedTransfers();
    assert.equal(stored.length, LINES);
    assert.ok(stored.every(({ state }) => state === 'succeeded'));
    const paid = stored.map(({ amount, phone }) => `${amount} ${phone}`).sort();
    const wanted = lines.map((text) => {
      const [amount = '', phone = ''] = text.split(',');
      return `${Number(amount.replace('.', ''))} +260${phone.slice(1)}`;
    });
    assert.deepEqual(paid, wanted.sort());
    assert.deepEqual((await verifyLedger(test.database)).problems, []);

    const result = await resultOf();
    assert.equal(result.length, LINES);
    const alreadySent = result.filter((line) => line.result === 'already_sent').length;
    const accepted = result.filter((line) => line.result === 'accepted').length;
    assert.equal(alreadySent + accepted, LINES);
    assert.equal(accepted, 0, 'the killed run had submitted them');
    assert.ok(result.every(({ status, id }) => status === 'successful' && id !== ''));

    const again = await pay(payArgs());
    assert.equal(again.code, 0);
    assert.match(again.out, /Nothing is left to pay[^]*this run paid no one/);
    assert.equal((await storedTransfers()).length, LINES);
    const others = (await readdir(folder)).filter((name) => !name.startsWith('payouts.'));
    assert.deepEqual(others, []);
  });

  it('sends nothing when one line is bad, and names it', async () => {
    await writePayouts(['1,0977433571,fine', '1.005,0977433571,bad', '1,12,bad too']);
    const { code, out } = await pay(payArgs());
    assert.equal(code, 65);
    assert.match(out, /^line 3, amount: /m);
    assert.match(out, /^line 4, phone: /m);
    assert.deepEqual(await storedTransfers(), []);
    assert.deepEqual(await readdir(folder), ['payouts.csv']);
    // What only the service knows, it says of the line too, and no draft is left.
    await writePayouts(['1,0977433571,fine', '1,0211123456,a landline']);
    const checked = await pay(payArgs());
    assert.deepEqual([checked.code, await storedFiles()], [65, []]);
    assert.match(checked.out, /nothing was sent\.\nline 3, phone: /);
    assert.equal((await pay(payArgs('--dry-run'))).code, 65);
  });

  it('tells refusals, failures and conflicts apart, and formulas from text', async () => {
    const header = 'reference,amount,phone,narration';
    await writePayouts(['a,1,0977433571,x', 'b,1,0977433901,x'], header);
    assert.equal((await pay(payArgs('--watch'))).code, 1);
    // The first line is edited; the third is more than the wallet has.
    const lines = [
      'a,2,0977433571,x',
      'b,1,0977433901,x',
      'c,1000000.01,0977433571,"=cmd|\' /C calc\'!A0"',
      'e,1,+260977433571,x',
    ];
    await writePayouts(lines, header);
    const { code, out } = await pay(payArgs('--watch', '--allow-short-balance'));
    assert.equal(code, 1);
    assert.match(out, /1 line in conflict/);
    assert.match(out, /^ {2}line 3, 0977433901: failed, RECIPIENT_NOT_FOUND: /m);
    assert.match(out, /^1 line failed, .* --retry-failed\.$/m);
    const result = await resultOf();
    assert.deepEqual(
      result.map((line) => [line.result, line.status, line.errorCode]),
      [
        ['conflict', '', 'DUPLICATE_REFERENCE'],
        ['already_sent', 'failed', 'RECIPIENT_NOT_FOUND'],
        ['refused', '', 'INSUFFICIENT_BALANCE'],
        ['accepted', 'successful', ''],
      ],
    );
    const cells = result.flatMap((line) => Object.values(line));
    assert.deepEqual(
      cells.filter((cell) => /^[=+@-]/.test(cell)),
      [],
    );
    const { mode } = await stat(join(folder, 'payouts.result.csv'));
    assert.equal(mode & 0o077, 0);
  });

  it('asks, and without a terminal says what to do instead', async () => {
    await writePayouts(['1,0977433571,x']);
    const { code, error } = await pay(payArgs().filter((arg) => arg !== '--yes'));
    assert.equal(code, 64);
    assert.match(error, /--dry-run, then give --yes/);
    for (const answer of ['', 'no', 'y']) {
      const refused = await payAsked(answer, payArgs());
      assert.equal(refused.code, 1);
      assert.match(refused.out, /Nothing was sent\.$/m);
    }
    assert.deepEqual([await storedTransfers(), await storedFiles()], [[], []]);
    const { asked } = await payAsked('yes', payArgs());
    assert.equal(asked, 'Pay 1 person ZMW 1.00? (yes/no) ');
    assert.equal((await storedTransfers()).length, 1);
  });

  it('pays each line once when two people pay the same people at the same moment', async () => {
    const lines = ['a,1,0966433571,x', 'b,2,0966433572,x', 'c,3,0966433573,x'];
    const header = 'reference,amount,phone,narration';
    await writePayouts(lines, header);
    // Another order, so another payout file with the same references.
    await writeFile(join(folder, 'other.csv'), [header, ...lines.toReversed(), ''].join('\n'));
    const runs = await Promise.all([
      pay(payArgs('--watch')),
      pay(['other.csv', ...payArgs('--watch').slice(1)]),
    ]);
    // One that looked too late says so, and finds them paid when it is run again.
    const again = await Promise.all([
      pay(payArgs('--watch')),
      pay(['other.csv', ...payArgs('--watch').slice(1)]),
    ]);
    const codes = again.map(({ code }) => code);
    assert.deepEqual(
      codes,
      [0, 0],
      [...runs, ...again].map(({ out, error }) => out + error).join(),
    );
    assert.deepEqual(
      (await storedTransfers()).map(({ reference, state }) => `${reference} ${state}`).sort(),
      ['a succeeded', 'b succeeded', 'c succeeded'],
    );
    const told = runs.filter(({ code }) => code !== 0).map(({ error }) => error);
    assert.ok(
      told.every((error) => error.includes('Another run is sending')),
      told.join(),
    );
  });

  it('goes on with a draft of an earlier run, and not with one that a person changed', async () => {
    const kafue = new Kafue({ apiKey: merchant.keys.test, baseUrl: service.baseUrl });
    const payouts = [{ ...payoutOf('a'), walletId: merchant.wallets.test.ZMW }];
    const upload = async () => {
      const deps = { kafue, stop: new AbortController().signal };
      const [uploaded] = await uploadFiles(deps, payouts, {
        name: 'Salaries',
        allowCancelled: false,
      });
      return uploaded?.file ?? assert.fail();
    };
    const { id } = await upload();
    assert.equal((await upload()).id, id);
    await kafue.payoutFiles.correctRow(id, 1, { amount: '99' });
    const anew = await upload();
    assert.deepEqual([anew.id === id, anew.sum], [false, '10.10']);
  });

  it('finds out what was sent before, and asks only about the rest', async () => {
    const header = 'reference,amount,phone,narration';
    await writePayouts(['a,1,0966433571,x', 'b,2,0966433572,x'], header);
    assert.equal((await pay(payArgs('--watch'))).code, 0);
    await writePayouts(['a,1,0966433571,x', 'b,2,0966433572,x', 'c,3,0966433573,x'], header);
    const { code, asked, out } = await payAsked('yes', payArgs('--watch'));
    assert.deepEqual([code, asked], [0, 'Pay 1 person ZMW 3.00? (yes/no) ']);
    assert.match(out, /^Before this run: 2 already sent\. 1 line to pay now\.$/m);
    assert.match(out, /^Of those sent before: 2 successful\.$/m);
    assert.match(out, /^ {2}mtn +zm +1 +ZMW +3\.00 /m);
    assert.match(out, /999,997\.00 +3\.00 +999,994\.00$/m);
    const none = await payAsked('no', payArgs());
    assert.deepEqual([none.code, none.asked], [0, '']);
    assert.match(none.out, /3 already sent\. Nothing is left to pay\.$/m);
    assert.equal((await storedTransfers()).length, 3);
  });

  it('pays failed lines again under references that name the old ones, and no others', async () => {
    const header = 'reference,amount,phone,narration';
    const failing = 'a,1,0966433901,x';
    const others = ['b,1,0966433571,x', 'c,1,0966433913,x', 'd,1,0966433941,x', 'e,1,0966433921,x'];
    await writePayouts([failing, ...others], header);
    await pay(payArgs());
    const kafue = new Kafue({ apiKey: merchant.keys.test, baseUrl: service.baseUrl });
    await kafue.transfers.cancel((await kafue.transfers.getByReference('d')).id);
    const ends = ['failed', 'succeeded', 'in_doubt', 'cancelled', 'reversed'];
    await pollUntil('every end is reached', async () => {
      const states = (await storedTransfers()).map(({ state }) => state);
      return states.sort().join() === [...ends].sort().join();
    });
    const references = async () =>
      (await storedTransfers()).map(({ reference }) => reference).sort();
    const before = ['a', 'b', 'c', 'd', 'e'];

    await pay(payArgs());
    assert.deepEqual(await references(), before);
    const retried = await payAsked('yes', payArgs('--retry-failed'));
    assert.equal(retried.asked, 'Pay 1 person ZMW 1.00? (yes/no) ');
    assert.deepEqual(await references(), ['a', 'a.retry-1', ...before.slice(1)]);

    // It fails again. With the number corrected the line is paid, and then never again.
    const isFailed = async () =>
      (await kafue.transfers.getByReference('a.retry-1')).status === 'failed';
    await pollUntil('the retry has failed', isFailed);
    await writePayouts(['a,1,0966433572,x', ...others], header);
    for (let run = 0; run < 2; run += 1) {
      await pay(payArgs('--retry-failed'));
      assert.deepEqual(await references(), ['a', 'a.retry-1', 'a.retry-2', ...before.slice(1)]);
      await pollUntil('it is paid', async () => {
        return (await kafue.transfers.getByReference('a.retry-2')).status === 'successful';
      });
    }
    const [line] = await resultOf();
    assert.deepEqual(
      [line?.reference, line?.retryOf, line?.result, line?.status],
      ['a.retry-2', 'a', 'already_sent', 'successful'],
    );
  });

  it('finds the failed lines that the service has paid again, whatever their references', async () => {
    const header = 'reference,amount,phone,narration';
    const references = ['a', 'b.retry-2', 'c'.repeat(85), 'd'.repeat(100)];
    const write = (phone: string) =>
      writePayouts(
        references.map((reference) => `${reference},1,${phone},x`),
        header,
      );
    await write('0966433901');
    await pay(payArgs('--watch'));
    const kafue = new Kafue({ apiKey: merchant.keys.test, baseUrl: service.baseUrl });
    const [file] = await storedFiles();
    const draft = await kafue.payoutFiles.retryFailed(file?.id ?? '');
    for (const number of references.keys()) {
      await kafue.payoutFiles.correctRow(draft.id, number + 1, { phone: '0966433571' });
    }
    await kafue.payoutFiles.submit(draft.id);
    await kafue.payoutFiles.waitUntilEnded(draft.id);
    const paid = (await storedTransfers()).filter(({ state }) => state === 'succeeded');
    assert.equal(paid.length, references.length);

    await write('0966433571');
    for (const more of [['--retry-failed'], []]) {
      const { code, error, out } = await pay(payArgs(...more));
      assert.equal(code, 0, error + out);
      assert.deepEqual(
        (await resultOf()).map(({ retryOf, result, status }) => [retryOf, result, status]),
        references.map((reference) => [reference, 'already_sent', 'successful']),
      );
    }
    assert.equal((await storedTransfers()).length, 2 * references.length);
  });

  it('shows the fees, and stops before the first payment when the balance is short of them', async () => {
    await test.database.query(
      {
        name: '',
        text: `update books set fee_fixed_minor = 50, fee_basis_points = 150 where id = $1 returning id`,
      },
      [merchant.books.test],
    );
    // 2 of 100.00 cost 2 × (0.50 + 1.50) more.
    const wallet = await merchant.createWallet({ fundedMinor: 20_399n });
    await writePayouts(['100,0966433571,x', '100,0966433572,x']);
    const short = await payAsked('yes', payArgs('--wallet', wallet));
    assert.deepEqual([short.code, short.asked], [75, '']);
    assert.match(short.out, /^ {2}together +2 +ZMW +200\.00 +4\.00 +204\.00$/m);
    assert.match(short.out, /203\.99 +204\.00 +-0\.01 +ZMW 0\.01 missing$/m);
    assert.match(
      short.error,
      /is short: ZMW 0\.01 missing\. Nothing was sent\.\n.*--allow-short-bal/,
    );
    assert.equal((await pay(payArgs('--wallet', wallet, '--dry-run'))).code, 75);
    assert.deepEqual(await storedTransfers(), []);

    const allowed = ['--wallet', wallet, '--allow-short-balance'];
    const { code, asked, out } = await payAsked('yes', payArgs(...allowed));
    assert.equal(asked, 'Pay 2 people ZMW 200.00, and fees of ZMW 4.00? (yes/no) ');
    assert.equal(code, 1);
    assert.match(out, /^Accepted by this run: ZMW 100\.00 with fees of ZMW 2\.00\.$/m);
    assert.deepEqual(
      (await resultOf()).map(({ result, fee }) => [result, fee]),
      [
        ['accepted', '2.00'],
        ['refused', ''],
      ],
    );
  });

  it('ends while the policy asks for approval, and goes on from there when it is run again', async () => {
    const book = { ...(await createTestBook(test.database)), id: merchant.books.test };
    const approval = { approvals: 1, of: ['approver', 'owner'] };
    await putPolicy(test.database, book, [
      { name: 'big', when: { amountAtLeast: '100.00' }, require: approval },
    ]);
    const roles = [{ merchantId: merchant.id, role: 'approver' as const }];
    const approver = await storePerson(test.database, { roles });
    const lines = ['80,0966433571,x', '80,0966433572,x'];
    await writePayouts(lines);
    const awaited = [await pay(payArgs()), await pay(payArgs('--watch'))];
    // An edited file finds the lines that wait too, and submits the others only.
    await writePayouts([...lines, '5,0966433573,x']);
    const asked = await payAsked('yes', payArgs());
    assert.equal(asked.asked, 'Pay 1 person ZMW 5.00? (yes/no) ');
    for (const { code, out, error } of [...awaited, asked]) {
      assert.equal(code, 77, error + out);
      assert.match(
        out,
        /waits for approval\. The rule "big" asks for 1 of approver, owner, in the/,
      );
    }
    assert.equal((await storedTransfers()).length, 1);
    const waiting = (await storedFiles()).filter(({ state }) => state === 'awaiting_approval');
    assert.equal(waiting.length, 1);
    const { id, content_hash: contentHash } = waiting[0] ?? assert.fail();
    const answer = await fetch(`${service.baseUrl}/api/v1/payments/payout-files/${id}/approve`, {
      method: 'POST',
      headers: {
        ...approver.headers,
        'x-book': merchant.books.test,
        'content-type': 'application/json',
        origin: service.baseUrl,
      },
      body: JSON.stringify({ contentHash }),
    });
    assert.equal(answer.status, 200, await answer.text());
    const last = await pay(payArgs('--watch'));
    assert.equal(last.code, 0, last.error + last.out);
    assert.deepEqual(
      (await storedTransfers()).map(({ amount, state }) => `${amount} ${state}`).sort(),
      ['500 succeeded', '8000 succeeded', '8000 succeeded'],
    );
  });

  it('pays from each wallet by a file of its own, at the time that it is given', async () => {
    const { ZMW, NGN } = merchant.wallets.test;
    const header = 'reference,amount,phone,walletId';
    await writePayouts([`a,1,0966433571,${ZMW}`, `b,2,08031234567,${NGN}`], header);
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const later = await pay(['payouts.csv', '--yes', '--pay-at', at]);
    assert.equal(later.code, 0, later.error + later.out);
    assert.deepEqual(
      (await storedFiles()).map(({ state }) => state),
      ['scheduled', 'scheduled'],
    );
    assert.deepEqual(
      (await resultOf()).map(({ result, errorCode }) => [result, errorCode]),
      [
        ['waiting', 'SCHEDULED'],
        ['waiting', 'SCHEDULED'],
      ],
    );
  });

  it('stops where a person cancelled the lines, or where they are paid otherwise', async () => {
    const kafue = new Kafue({ apiKey: merchant.keys.test, baseUrl: service.baseUrl });
    const payAt = new Date(Date.now() + 3_600_000).toISOString();
    const header = 'reference,amount,phone,narration';
    const countTransfers = async () => (await storedTransfers()).length;
    await writePayouts(['a,1,0966433571,x'], header);
    assert.equal((await pay(payArgs('--pay-at', payAt))).code, 0);
    await kafue.payoutFiles.cancel((await storedFiles())[0]?.id ?? '');
    // The same upload, and another one with the line in it.
    const same = await pay(payArgs());
    await writePayouts(['b,2,0966433572,x', 'a,1,0966433571,x'], header);
    const other = await pay(payArgs());
    for (const { code, error } of [same, other]) {
      assert.equal(code, 1);
      assert.match(error, /^A person cancelled lines of this file/);
    }
    assert.match(other.error, /first line 3,/);
    assert.equal(await countTransfers(), 0);
    assert.equal((await pay(payArgs('--allow-cancelled', '--watch'))).code, 0);

    // The same people without references.
    await writePayouts(['1,0966433571,Nov-26']);
    const similar = await pay(payArgs());
    assert.equal(similar.code, 1);
    assert.match(similar.error, /^The number in line 2 was .* in the last 7 days/);
    assert.equal(await countTransfers(), 2);
    assert.equal((await pay(payArgs('--allow-similar'))).code, 0);
    assert.equal(await countTransfers(), 3);

    // As the console uploads it.
    const upload = { file: 'phone,amount\n0966433579,7\n', walletId: merchant.wallets.test.ZMW };
    const { id } = await kafue.payoutFiles.upload(upload);
    await kafue.payoutFiles.waitUntilChecked(id);
    await kafue.payoutFiles.submit(id, { payAt });
    await writePayouts(['7,0966433579,x']);
    const waiting = await pay(payArgs());
    assert.equal(waiting.code, 1);
    assert.ok(waiting.error.includes(`(${id}), which is scheduled, pays the same`), waiting.error);
    assert.equal(await countTransfers(), 3);
  });

  it('needs a key that may read, and says so', async () => {
    const { text } = await merchant.issueKey({ scopes: ['transfers:write'] });
    await writePayouts(['1,0966433571,x']);
    const { code, error } = await pay(payArgs(), { ...environment(), KAFUE_API_KEY: text });
    assert.equal(code, 64);
    assert.match(error, /Nothing was sent\./);
    assert.deepEqual(await storedTransfers(), []);
  });

  it('warns of a prefix of another operator, and pays when told to', async () => {
    await writePayouts(['1,0977433571,x']);
    const { code, out } = await pay(payArgs());
    assert.equal(code, 0);
    assert.match(
      out,
      /^Warning, line 2: 0977433571 has a prefix of airtel, and the line says mtn\./m,
    );
  });

  it('takes the key from a file, and never from the command line', async () => {
    await writePayouts(['1,0977433571,x']);
    await writeFile(join(folder, 'key'), `${merchant.keys.test}\n`, { mode: 0o600 });
    const env = { KAFUE_URL: service.baseUrl };
    assert.equal((await pay(payArgs('--key-file', 'key'), env)).code, 0);
    assert.equal((await pay(payArgs('--key', merchant.keys.test), env)).code, 64);
    assert.equal((await pay(payArgs(), env)).code, 64);
    const wrong = { ...env, KAFUE_API_KEY: `${merchant.keys.test.slice(0, -1)}_` };
    const { code, error, out } = await pay(payArgs(), wrong);
    assert.equal(code, 64);
    assert.ok(!`${error}${out}`.includes(wrong.KAFUE_API_KEY));
  });

  it('refuses a wallet in another currency, or of another merchant, before anything is sent', async () => {
    await writePayouts(['1,0977433571,x']);
    const stranger = await createTestMerchant(test.database);
    for (const wallet of [merchant.wallets.test.NGN, stranger.wallets.test.ZMW]) {
      const { code, error } = await pay(payArgs('--wallet', wallet));
      assert.equal(code, 65, error);
      assert.match(error, /Nothing was sent/);
    }
    assert.deepEqual(await storedTransfers(), []);
  });

  it('writes one JSON document when asked to', async () => {
    await writePayouts(['1.10,0977433571,x', '2.20,0977433572,x']);
    const { code, out } = await pay(payArgs('--json', '--watch'));
    assert.equal(code, 0);
    const answer: unknown = JSON.parse(out);
    assert.ok(typeof answer === 'object' && answer !== null);
    assert.deepEqual(Reflect.get(answer, 'byCurrency'), [
      { currency: 'ZMW', payouts: 2, amount: '3.30', fees: '0.00' },
    ]);
    assert.equal(Reflect.get(Reflect.get(answer, 'counts'), 'accepted'), 2);
    const bad = await pay(payArgs('--json', '--operator', 'orange'));
    assert.equal(bad.code, 64);
    assert.ok('error' in JSON.parse(bad.out));
  });

  it('says 69 when the service cannot be reached, and that nothing was sent', async () => {
    await writePayouts(['1,0977433571,x']);
    const env = { ...environment(), KAFUE_URL: `http://127.0.0.1:${await unusedPort()}` };
    const { code, error } = await pay(payArgs(), env);
    assert.equal(code, 69, error);
    assert.match(error, /ECONNREFUSED.*Nothing was sent\./);
  });

  it('keeps the result when it is asked to end, and goes on from there', async () => {
    // The first is in doubt for ever.
    await writePayouts(['1,0977433913,x', '1,0977433571,x', '1,0977433572,x']);
    const run = startKafue(['pay', ...payArgs('--watch')], { env: environment(), folder });
    await pollUntil('only the doubt is left', () => run.error().includes('Final 2 of 3'));
    run.child.kill('SIGINT');
    assert.equal(await run.ended, 130);
    const results = (await resultOf()).map(({ result, status }) => [result, status]);
    assert.deepEqual(results, [
      ['accepted', 'pending'],
      ['accepted', 'successful'],
      ['accepted', 'successful'],
    ]);
    assert.equal((await pay(payArgs())).code, 0);
    assert.equal((await storedTransfers()).length, 3);
  });
});

describe('kafue status and kafue wallets', () => {
  it('show what the key opens', async () => {
    await writePayouts(['s.1,1,0977433571,x'], 'reference,amount,phone,narration');
    assert.equal((await pay(payArgs('--watch'))).code, 0);
    const options = { env: environment(), folder };
    assert.match((await runHere(['status', 's.1'], options)).out, /^s\.1: successful/);
    assert.equal((await runHere(['status', 'none'], options)).code, 1);
    const { out } = await runHere(['wallets'], options);
    assert.ok(out.includes(merchant.wallets.test.ZMW) && out.includes('999999.00'));
  });
});

describe('the guide for bulk files', () => {
  const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
  const ANY_UUID = '00000000-0000-4000-8000-000000000000';

  it('shows what really happens', async () => {
    const guide = await readFile(new URL('../docs/guides/bulk-files.md', import.meta.url), 'utf8');
    const [salaries = '', mistakes = ''] = blocksOf(guide, 'csv');
    const [preview = '', problems = ''] = blocksOf(guide, 'text');
    const [look = '', send = ''] = blocksOf(guide, 'sh').map(
      (command) => command.split('npm run kafue -- ')[1]?.trim() ?? '',
    );
    await writeFile(join(folder, 'salaries.csv'), salaries);
    await writeFile(join(folder, 'mistakes.csv'), mistakes);
    const demo = {
      baseUrl: service.baseUrl,
      testKey: merchant.keys.test,
      liveKey: merchant.keys.live,
      wallets: merchant.wallets,
    };
    await writeFile(join(folder, 'demo.json'), JSON.stringify(demo));
    const options = { env: { DATA_DIR: folder }, folder };

    const looked = await runHere(look.split(' '), options);
    assert.equal(looked.code, 0, looked.error);
    // Two wallets stand in the order of their ids, which is any.
    const linesOf = (text: string) => text.replaceAll(UUID, ANY_UUID).trim().split('\n').sort();
    assert.deepEqual(linesOf(looked.out), linesOf(preview));
    assert.deepEqual(await storedTransfers(), []);

    const sent = await runHere(send.split(' '), options);
    assert.equal(sent.code, 0, sent.error);
    const result = await readResult(join(folder, 'salaries.result.csv'));
    assert.deepEqual(
      result.map(({ status }) => status),
      Array.from({ length: 5 }, () => 'successful'),
    );
    const refused = await runHere(['pay', 'mistakes.csv', '--demo'], options);
    assert.deepEqual([refused.code, refused.out], [65, problems]);
  });

  function blocksOf(guide: string, language: string): readonly string[] {
    const pattern = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
    return [...guide.matchAll(pattern)].map(([, block = '']) => block);
  }
});

/** A port that was free a moment ago. */
async function unusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  assert.ok(typeof address === 'object' && address !== null);
  return address.port;
}
