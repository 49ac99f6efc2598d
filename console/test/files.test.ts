import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { putPolicy } from '../../service/test/put-policy.ts';
import { storeAwaiting } from '../../service/test/stored-awaiting.ts';
import { storeFile } from '../../service/test/stored-file.ts';
import { storeAccount, totpCode } from '../../service/test/test-account.ts';
import { bookOf, createTestMerchant } from '../../service/test/test-merchant.ts';
import { storePerson } from '../../service/test/test-person.ts';
import { looksOf, nameOf, openConsole, WIDE } from './browser.ts';
import { signInThroughPage } from './sign-in.ts';

const app = await openConsole();
after(() => app.close());

const { merchant, database } = app;
const own = { merchantId: merchant.id };
const maker = await storePerson(database, {
  name: 'Thandiwe Mulenga',
  roles: [{ ...own, role: 'maker' }],
});
const approver = await storeAccount(database, { roles: [{ ...own, role: 'approver' }] });
const TEST = `/b/${merchant.books.test}`;
const BOOK = bookOf(merchant);
// No row is that large, the file is; the failed row alone is not.
await putPolicy(database, BOOK, [
  {
    name: 'big file',
    when: { amountAtLeast: '100.00', source: ['file'] },
    require: { approvals: 1, of: ['approver'] },
  },
]);

/** A number without an account: its payout fails. */
const NO_ACCOUNT = '0977433901';
const ROWS = [
  'Name,Phone,Amount',
  'Chanda Banda,0977433571,40',
  'Mwape Kasonde,097 33 4512,30',
  'Brian Phiri,0966330187,25.505',
  `Agness Mwila,${NO_ACCOUNT},20`,
  'Ruth Ngoma,0211 254 880,10',
];
const fileOf = (name: string) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(ROWS.join('\n')),
});

async function correct(page: Page, field: string, text: string): Promise<void> {
  await page.getByLabel(field, { exact: true }).fill(text);
  await page.getByLabel(field, { exact: true }).press('Enter');
  await page.locator(`[aria-label="${field}"]:not([aria-invalid])`).waitFor();
}

async function submit(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: /^Submit \d+ payouts?…$/ }).click();
  await page.getByRole('button', { name: label }).click();
}

const SAY_PAID = `
  insert into incidents (book_id, id, transfer_id, kind, opened_at)
  select t.book_id, gen_random_uuid(), t.id, 'paid_after_failure', now()
  from transfers t where t.book_id = $1 and t.state = 'failed'`;
const CLOSE = `
  update incidents set closed_at = now(), closed_by = 'Support', note = 'It was not paid.'
  where book_id = $1 and closed_at is null`;
const sayPaid = () => database.query({ name: '', text: SAY_PAID }, [BOOK.id]);
const closeIncidents = () => database.query({ name: '', text: CLOSE }, [BOOK.id]);

const figure = (page: Page, word: string) =>
  page.locator('.card-pad').filter({ has: page.getByText(word, { exact: true }) });

describe('more than 100 payouts', () => {
  it('need their count typed, in a file and in a schedule made from it', async (t) => {
    const { page, open, assertAccessible } = await app.visit(t, { look: WIDE, person: maker });
    const rows = Array.from({ length: 101 }, (_, at) => `Name ${at},09774${10_000 + at},1`);
    await open(`${TEST}/files`);
    await page.locator('input[type=file]').setInputFiles({
      name: 'Many.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['Name,Phone,Amount', ...rows].join('\n')),
    });
    await page.getByRole('button', { name: 'Submit 101 payouts…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Submit this file?' });
    await dialog.getByText(/with fees, from Test/).waitFor();
    const send = dialog.getByRole('button', { name: 'Submit 101 payouts, ZMW 101.00 (test)' });
    assert.equal(await send.getAttribute('aria-disabled'), 'true');
    await assertAccessible();
    await dialog.getByLabel('Type 101 to confirm').fill('101');
    assert.equal(await send.getAttribute('aria-disabled'), null);
    await dialog.getByRole('button', { name: 'Not yet' }).click();

    await open(`${TEST}/schedules`);
    await page.getByRole('button', { name: 'Schedule…' }).click();
    const form = page.getByRole('dialog', { name: 'Schedule payouts' });
    await form.getByLabel('Name', { exact: true }).first().fill('Many');
    await form.getByLabel('From wallet').selectOption(merchant.wallets.test.ZMW);
    await form.getByText('From a payout file').click();
    const many = form.getByRole('option', { name: /^Many\.csv · 101 payouts/ });
    await many.waitFor({ state: 'attached' });
    const fileId = (await many.getAttribute('value')) ?? '';
    await form.getByLabel('Payout file', { exact: true }).selectOption(fileId);
    await form.getByText('You schedule, from').waitFor();
    const schedule = form.getByRole('button', { name: 'Schedule 101 payouts, ZMW 101.00 (test)' });
    assert.equal(await schedule.getAttribute('aria-disabled'), 'true');
    await form.getByLabel('Type 101 to confirm').fill('101');
    assert.equal(await schedule.getAttribute('aria-disabled'), null);
  });
});

describe('a payout file', () => {
  it('is corrected by its maker, approved by another person, paid, and its failed rows again', async (t) => {
    // A draft that was changed meanwhile is refused, and so is what the operator may have paid.
    const allowed = [/status of 409 .*\/(submit|failed-rows)$/];
    const made = await app.visit(t, { look: WIDE, person: maker, allowed });
    const { page } = made;
    await made.open(`${TEST}/files`);
    await page.locator('input[type=file]').setInputFiles(fileOf('October salaries.csv'));
    await page.getByRole('heading', { level: 1, name: 'October salaries.csv' }).waitFor();
    await page.getByText('3 rows must be corrected or dropped first').first().waitFor();
    await page.getByRole('row', { name: /^2 Mwape Kasonde.*1 digit is missing/ }).waitFor();
    const act = page.getByRole('button', { name: 'Submit 5 payouts…' });
    assert.equal(await act.getAttribute('aria-disabled'), 'true');
    await correct(page, 'Phone, row 2', '0973345120');
    await correct(page, 'Amount, row 3', '25.50');
    await page.getByText('in the file: 097 33 4512').waitFor();
    await page.getByRole('button', { name: 'Drop row 5' }).click();
    await page.getByRole('button', { name: 'Restore row 5' }).waitFor();
    await page.getByText('4 ready, 1 dropped').waitFor();
    await made.screenshot('file-corrected');
    await page.getByRole('button', { name: 'Submit 4 payouts…' }).click();
    // Another person changes the draft while its count and sum are being read.
    await database.query(
      {
        name: '',
        text: "update payout_files set version = version + 1 where book_id = $1 and state = 'draft'",
      },
      [merchant.books.test],
    );
    const send = page.getByRole('button', { name: 'Submit 4 payouts, ZMW 115.50 (test)' });
    await page.getByText('Paid at once, or as soon as it is approved.').waitFor();
    const payAt = page.getByLabel('Pay at');
    await payAt.focus();
    // Month, day and year, and no time.
    await page.keyboard.type('11302030');
    await send.click({ force: true });
    await page.getByText('The date or time is not complete.').waitFor();
    assert.equal(await send.getAttribute('aria-disabled'), 'true');
    assert.equal(await page.getByText('Paid at once').count(), 0);
    await made.screenshot('file-half-typed');
    await payAt.fill('2030-11-30T08:00');
    await page.getByText('Paid at 30 Nov 2030, 08:00 (Lusaka, UTC+2)').waitFor();
    await payAt.fill('');
    await page.getByText('Paid at once, or as soon as it is approved.').waitFor();
    await send.click();
    await page.getByText('The file was changed while you looked at it.').waitFor();
    await send.click();
    await page.getByText('“big file”').waitFor();
    await made.screenshot('file-waits');

    const other = await app.visit(t, { look: WIDE });
    await other.open(`${TEST}/files`);
    await signInThroughPage(other.page, approver);
    await other.page.getByRole('link', { name: 'October salaries.csv' }).waitFor();
    await other.page.getByText('0 of 1 approvals').waitFor();
    await database.query(
      { name: '', text: 'update sessions set stepped_up_at = null where person_id = $1' },
      [approver.id],
    );
    await other.page.reload();
    await other.page.getByRole('link', { name: 'October salaries.csv' }).click();
    await other.page.getByText('“big file”').waitFor();
    const approve = other.page.getByRole('button', {
      name: 'Approve 4 payouts, ZMW 115.50 (test)',
    });
    await approve.waitFor();
    assert.equal(await approve.getAttribute('aria-disabled'), 'true');
    await other.page
      .getByLabel('Code from your authenticator app')
      .fill(totpCode(approver.totpSecret, 1));
    await other.screenshot('file-approve');
    await approve.click();

    // Neither page is loaded anew.
    for (const seen of [page, other.page]) {
      await seen.getByText('4 of 4 payouts ended').first().waitFor();
      assert.match(await figure(seen, 'Paid').first().innerText(), /Paid\s+3\b/);
      assert.match(await figure(seen, 'Not paid').first().innerText(), /1 failed/);
    }
    await page.getByRole('row', { name: /Agness Mwila.*Failed.*no account/i }).waitFor();
    await made.assertAccessible();
    await made.screenshot('file-done');
    const downloaded = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Results as CSV' }).click();
    assert.equal((await downloaded).suggestedFilename(), 'October salaries results.csv');

    const again = page.getByRole('button', { name: 'Pay 1 failed row again' });
    await sayPaid();
    await again.click();
    await page.getByText('The operator says since that it paid what failed').first().waitFor();
    await closeIncidents();
    await again.click();
    await page.getByRole('link', { name: 'failed rows of another file' }).waitFor();
    await page.getByRole('button', { name: 'Correct row 1' }).click();
    await correct(page, 'Phone, row 1', '0977433572');
    await submit(page, 'Submit 1 payout, ZMW 20.00 (test)');
    await page.getByText('1 of 1 payout ended').first().waitFor();
    assert.match(await figure(page, 'Paid').first().innerText(), /Paid\s+1\b/);
  });
});

/** A file with a row of its own for each number from 1 on. */
const manyRows = (name: string, rows: readonly string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(['Name,Phone,Amount,Operator', ...rows].join('\n')),
});
const numbered = (count: number, row: (at: number) => string) =>
  Array.from({ length: count }, (_, index) => row(index + 1));

describe('a payout file with many warnings', () => {
  it('shows what must be corrected before them, and alone, and counts each row once', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person: maker });
    await open(`${TEST}/files`);
    // Numbers that began at another operator; the last row has a wrong amount besides.
    const warned = numbered(150, (at) => `Name ${at},09774${10_000 + at},1,mtn`);
    const wrong = 'Bupe Zulu,0977420000,1.005,mtn';
    await page
      .locator('input[type=file]')
      .setInputFiles(manyRows('Warnings.csv', [...warned, wrong]));
    const rows = page.getByRole('table', { name: 'Rows of the file' }).getByRole('row');
    await rows.nth(1).filter({ hasText: 'Bupe Zulu' }).waitFor();
    await page.getByText('Problems and warnings (151)').waitFor();
    await page.getByText('To correct (1)').click();
    await page.getByText('1 of 151 rows shown').waitFor();
    await correct(page, 'Amount, row 151', '1.05');
    await page.getByText('To correct (0)').waitFor();
    await page.getByText('Problems and warnings (151)').waitFor();
  });
});

describe('a correction', () => {
  it('is kept while its row is out of sight, and holds the file back until it is stored', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person: maker });
    await open(`${TEST}/files`);
    // Rows with warnings come first, so that as many rows are shown as a page of rows can have.
    const plain = numbered(100, (at) => `Name ${at},09774${30_000 + at},1,airtel`);
    const warned = numbered(100, (at) => `Name ${100 + at},09774${40_000 + at},1,mtn`);
    await page
      .locator('input[type=file]')
      .setInputFiles(manyRows('Long.csv', [...plain, ...warned]));
    await page.getByText('200 of 200 rows shown').waitFor();
    const act = page.getByRole('button', { name: 'Submit 200 payouts…' });
    await page.getByRole('button', { name: 'Correct row 101' }).click();
    const field = page.getByLabel('Amount, row 101', { exact: true });
    await field.fill('2');
    assert.equal(await act.getAttribute('aria-disabled'), 'true');
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await page.getByRole('row', { name: /^100 Name 100/ }).waitFor();
    assert.equal(await act.getAttribute('aria-disabled'), 'true');
    await page.getByText('A correction is not stored.').last().waitFor();
    await page.evaluate(() => window.scrollTo(0, 0));
    assert.equal(await field.inputValue(), '2');
    await field.press('Enter');
    await figure(page, 'Sum').filter({ hasText: '201.00' }).waitFor();
    await page.getByRole('button', { name: 'Submit 200 payouts…', disabled: false }).waitFor();
  });
});

const run = (text: string, values: readonly unknown[]) =>
  database.query({ name: '', text }, values);
const WAIT = `
  update payout_files
  set state = 'awaiting_approval', event_seq = 1, submitted_at = now(), submitted_by_name = 'Test',
      content_hash = $2, approvals_needed = $3, approval_expires_at = now() + interval '1 day'
  where id = $1`;
const KEEP_WAITING = `update payout_file_rows set state = 'waiting' where file_id = $1`;
/** As if its first three rows had been taken, and refused, before it was late. */
const REFUSE_THREE = `
  update payout_file_rows set state = 'refused', refusal_code = 'RECIPIENT_DENIED', refusal_detail = 'Denied.'
  where file_id = $1 and number <= 3`;
const COUNT_THREE = 'update payout_files set paying_up_to = 3, rows_refused = 3 where id = $1';

describe('a payout file whose payment was interrupted', () => {
  for (const look of looksOf('file-interrupted')) {
    it(`is approved for what is left of it at ${nameOf(look)}`, async (t) => {
      const other = await createTestMerchant(database);
      const { id: bookId } = bookOf(other);
      const role = { merchantId: other.id, role: 'approver' } as const;
      const person = await storePerson(database, { roles: [role] });
      const rows = Array.from({ length: 5 }, () => ({ amountMinor: 150n }));
      const id = await storeFile(database, { bookId, walletId: other.wallets.test.ZMW, rows });
      const needed = JSON.stringify([{ rule: 'big', count: 1, of: ['approver'] }]);
      await run(WAIT, [id, 'b'.repeat(64), needed]);
      for (const text of [KEEP_WAITING, REFUSE_THREE, COUNT_THREE]) await run(text, [id]);

      const visit = await app.visit(t, { look, person });
      const { page, open, assertAccessible, screenshot } = visit;
      const act = page.getByRole('button', { name: 'Approve 2 payouts, ZMW 3.00 (test)' });
      const left = page.getByText('2 payouts left of 5');
      await open(`/b/${bookId}/files/${id}`);
      await act.waitFor();
      await page.getByText('Only what is left').waitFor();
      await assertAccessible();
      await screenshot('file-interrupted');
      await open(`/b/${bookId}/approvals`);
      await act.waitFor();
      await left.last().waitFor();
      assert.equal(await left.count(), 2);
      await assertAccessible();
      await screenshot('approval-interrupted');
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= look.width, `the page is ${width} px wide`);
      await act.click();
      await page
        .getByText(/^2 payouts approved, ZMW.3\.00$/)
        .first()
        .waitFor();
    });
  }
});

describe('a payout file that waits behind a hundred others', () => {
  it('can be approved on its own page', async (t) => {
    const other = await createTestMerchant(database);
    const book = bookOf(other);
    const walletId = other.wallets.test.ZMW;
    const role = { merchantId: other.id, role: 'approver' } as const;
    const person = await storePerson(database, { roles: [role] });
    const needed = [{ rule: 'big', count: 1, of: ['approver'] }] as const;
    await Promise.all(
      Array.from({ length: 100 }, () => storeAwaiting(database, { book, walletId, needed })),
    );
    const stored = await storeFile(database, { bookId: book.id, walletId, rows: [{}] });
    // The ids of tests have no order: this one is behind all others.
    const id = stored.replace(/^.{8}/, 'ffffffff');
    await run('update payout_file_rows set file_id = $2 where file_id = $1', [stored, id]);
    await run('update payout_files set id = $2 where id = $1', [stored, id]);
    await run(WAIT, [id, 'a'.repeat(64), JSON.stringify(needed)]);
    const { page, open } = await app.visit(t, { look: WIDE, person });
    await open(`/b/${book.id}/files/${id}`);
    await page.getByRole('button', { name: 'Approve 1 payout, ZMW 1.00 (test)' }).waitFor();
  });
});

describe('payout files', () => {
  for (const look of looksOf('files')) {
    it(`are dropped on the page, whole and accessible at ${nameOf(look)}`, async (t) => {
      const { page, open, assertAccessible, screenshot } = await app.visit(t, {
        look,
        person: maker,
      });
      const fits = async (name: string) => {
        await assertAccessible();
        await screenshot(name);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= look.width, `${name} is ${width} px wide`);
      };
      await open(`${TEST}/files`);
      await page.getByRole('link', { name: 'October salaries.csv' }).first().waitFor();
      await fits('files');
      const dropped = await page.evaluateHandle((text) => {
        const data = new DataTransfer();
        data.items.add(new File([text], 'November.csv', { type: 'text/csv' }));
        return data;
      }, ROWS.join('\n'));
      await page.dispatchEvent('.drop-zone', 'drop', { dataTransfer: dropped });
      await page.getByText('3 rows must be corrected or dropped first').first().waitFor();
      await page.getByText('exactly the same content').waitFor();
      await fits('file-draft');
    });
  }
});
