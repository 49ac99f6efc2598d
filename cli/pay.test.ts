import assert from 'node:assert/strict';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findFreePort } from '../service/src/postgres/embedded/free-port.ts';
import { createTestMerchant } from '../service/test/test-merchant.ts';
import { preparePay, WITH_REFERENCES } from './test/prepare-pay.ts';
import { runHere } from './test/run-here.ts';

const {
  environment,
  here,
  pay,
  payArgs,
  payAsked,
  resultOf,
  storedFiles,
  storedTransfers,
  writePayouts,
} = preparePay();

describe('kafue pay', () => {
  it('sends nothing when one line is bad, and names it', async () => {
    const { folder } = here();
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
    const { folder } = here();
    await writePayouts(['a,1,0977433571,x', 'b,1,0977433901,x'], WITH_REFERENCES);
    assert.equal((await pay(payArgs('--watch'))).code, 1);
    // The first line is edited; the third is more than the wallet has.
    const lines = [
      'a,2,0977433571,x',
      'b,1,0977433901,x',
      'c,1000000.01,0977433571,"=cmd|\' /C calc\'!A0"',
      'e,1,+260977433571,x',
    ];
    await writePayouts(lines, WITH_REFERENCES);
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

  it('shows the fees, and stops before the first payment when the balance is short of them', async () => {
    const { database, merchant } = here();
    await database.query(
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

  it('pays from each wallet by a file of its own, at the time that it is given', async () => {
    const { merchant } = here();
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

  it('needs a key that may read, and says so', async () => {
    const { merchant } = here();
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
    const { folder, merchant, service } = here();
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
    const { database, merchant } = here();
    await writePayouts(['1,0977433571,x']);
    const stranger = await createTestMerchant(database);
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
    const env = { ...environment(), KAFUE_URL: `http://127.0.0.1:${await findFreePort()}` };
    const { code, error } = await pay(payArgs(), env);
    assert.equal(code, 69, error);
    assert.match(error, /ECONNREFUSED.*Nothing was sent\./);
  });
});

describe('kafue status and kafue wallets', () => {
  it('show what the key opens', async () => {
    const { folder, merchant } = here();
    await writePayouts(['s.1,1,0977433571,x'], WITH_REFERENCES);
    assert.equal((await pay(payArgs('--watch'))).code, 0);
    const options = { env: environment(), folder };
    assert.match((await runHere(['status', 's.1'], options)).out, /^s\.1: successful/);
    assert.equal((await runHere(['status', 'none'], options)).code, 1);
    const { out } = await runHere(['wallets'], options);
    assert.ok(out.includes(merchant.wallets.test.ZMW) && out.includes('999999.00'));
  });
});
