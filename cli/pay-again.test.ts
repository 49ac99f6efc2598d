import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { volume } from '../scripts/test-volume.ts';
import { verifyLedger } from '../service/src/ledger/verify-ledger.ts';
import { openIncident } from '../service/src/transfers/move/open-incident.ts';
import { pollUntil } from '../service/test/poll.ts';
import { putPolicy } from '../service/test/put-policy.ts';
import { createTestBook } from '../service/test/test-book.ts';
import { storePerson } from '../service/test/test-person.ts';
import { EXIT } from './src/cli-problem.ts';
import { uploadFiles } from './src/pay/upload-files.ts';
import { payoutOf } from './test/fake-kafue.ts';
import { preparePay, WITH_REFERENCES } from './test/prepare-pay.ts';
import { type KafueRun, startKafue } from './test/run-kafue.ts';

const LINES = volume({ usual: 600, full: 2_000 });

const {
  environment,
  here,
  openKafue,
  pay,
  payArgs,
  payAsked,
  resultOf,
  storedFiles,
  storedTransfers,
  writePayouts,
} = preparePay();

describe('kafue pay that is run again', () => {
  it(`pays each of ${LINES} lines exactly once although it is killed again and again`, async () => {
    const { database, folder } = here();
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
    assert.deepEqual((await verifyLedger(database)).problems, []);

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

  it('pays each line once when two people pay the same people at the same moment', async () => {
    const { folder } = here();
    const lines = ['a,1,0966433571,x', 'b,2,0966433572,x', 'c,3,0966433573,x'];
    await writePayouts(lines, WITH_REFERENCES);
    // Another order, so another payout file with the same references.
    await writeFile(
      join(folder, 'other.csv'),
      [WITH_REFERENCES, ...lines.toReversed(), ''].join('\n'),
    );
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
    const { merchant } = here();
    const kafue = openKafue();
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
    await writePayouts(['a,1,0966433571,x', 'b,2,0966433572,x'], WITH_REFERENCES);
    assert.equal((await pay(payArgs('--watch'))).code, 0);
    await writePayouts(
      ['a,1,0966433571,x', 'b,2,0966433572,x', 'c,3,0966433573,x'],
      WITH_REFERENCES,
    );
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
    const failing = 'a,1,0966433901,x';
    const others = ['b,1,0966433571,x', 'c,1,0966433913,x', 'd,1,0966433941,x', 'e,1,0966433921,x'];
    await writePayouts([failing, ...others], WITH_REFERENCES);
    await pay(payArgs());
    const kafue = openKafue();
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
    await writePayouts(['a,1,0966433572,x', ...others], WITH_REFERENCES);
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

  it('pays no failed line again that the operator says now it paid', async () => {
    const { database, merchant } = here();
    await writePayouts(['a,1,0966433901,x', 'b,1,0966433902,x'], WITH_REFERENCES);
    await pay(payArgs('--watch'));
    const { id } = await openKafue().transfers.getByReference('a');
    const transfer = { bookId: merchant.books.test, id };
    const said = { kind: 'paid_after_failure', at: new Date() } as const;
    await openIncident(database, { id: randomUUID(), transfer, ...said });
    const { code, error, out } = await pay(payArgs('--retry-failed'));
    assert.equal(code, EXIT.incomplete, error + out);
    const [line] = await resultOf();
    assert.deepEqual([line?.result, line?.errorCode], ['refused', 'EARLIER_MAY_BE_PAID']);
    const references = (await storedTransfers()).map(({ reference }) => reference).sort();
    assert.deepEqual(references, ['a', 'b', 'b.retry-1']);
  });

  it('finds the failed lines that the service has paid again, whatever their references', async () => {
    const references = ['a', 'b.retry-2', 'c'.repeat(85), 'd'.repeat(100)];
    const write = (phone: string) =>
      writePayouts(
        references.map((reference) => `${reference},1,${phone},x`),
        WITH_REFERENCES,
      );
    await write('0966433901');
    await pay(payArgs('--watch'));
    const kafue = openKafue();
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

  it('ends while the policy asks for approval, and goes on from there when it is run again', async () => {
    const { database, merchant, service } = here();
    const book = { ...(await createTestBook(database)), id: merchant.books.test };
    const approval = { approvals: 1, of: ['approver', 'owner'] };
    await putPolicy(database, book, [
      { name: 'big', when: { amountAtLeast: '100.00' }, require: approval },
    ]);
    const roles = [{ merchantId: merchant.id, role: 'approver' as const }];
    const approver = await storePerson(database, { roles });
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

  it('stops where a person cancelled the lines, or where they are paid otherwise', async () => {
    const { merchant } = here();
    const kafue = openKafue();
    const payAt = new Date(Date.now() + 3_600_000).toISOString();
    const countTransfers = async () => (await storedTransfers()).length;
    await writePayouts(['a,1,0966433571,x'], WITH_REFERENCES);
    assert.equal((await pay(payArgs('--pay-at', payAt))).code, 0);
    await kafue.payoutFiles.cancel((await storedFiles())[0]?.id ?? '');
    // The same upload, and another one with the line in it.
    const same = await pay(payArgs());
    await writePayouts(['b,2,0966433572,x', 'a,1,0966433571,x'], WITH_REFERENCES);
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

  it('keeps the result when it is asked to end, and goes on from there', async () => {
    const { folder } = here();
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
