import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Route } from 'playwright-core';
import type { ApprovalRequirement } from '../../service/src/domain/policy/assign-approvals.ts';
import { storeAwaiting } from '../../service/test/stored-awaiting.ts';
import { storeAccount, totpCode } from '../../service/test/test-account.ts';
import { bookOf } from '../../service/test/test-merchant.ts';
import { storePerson, type TestPerson } from '../../service/test/test-person.ts';
import { looksOf, nameOf, openConsole, WIDE, widthsOf } from './browser.ts';
import { signInThroughPage } from './sign-in.ts';

const app = await openConsole();
after(() => app.close());

const { merchant, database } = app;
const own = { merchantId: merchant.id };
const person = (name: string, ...roles: readonly ('owner' | 'maker' | 'approver')[]) =>
  storePerson(database, { name, roles: roles.map((role) => ({ ...own, role })) });
const approver = await person('Joseph Tembo', 'approver');
const owner = await person('Natasha Zulu', 'owner');
const maker = await person('Thandiwe Mulenga', 'maker', 'approver');
const TEST = `/b/${merchant.books.test}`;
const HOUR_MS = 3_600_000;
const BIG: ApprovalRequirement = { rule: 'big', count: 1, of: ['approver', 'owner'] };

/** A payout of ZMW 7.00 of the test book that waits for approval. */
function store(needed: readonly ApprovalRequirement[] = [BIG], by: TestPerson = maker) {
  return storeAwaiting(database, {
    book: bookOf(merchant),
    walletId: merchant.wallets.test.ZMW,
    needed,
    // Else the service would send it before it waits.
    sendAt: new Date(Date.now() + HOUR_MS),
    creator: `person:${by.id}`,
  });
}

/** As a program of the person would, past every page. Answers with the status. */
async function reject(
  { headers }: TestPerson,
  { transfer, contentHash }: Awaited<ReturnType<typeof store>>,
): Promise<number> {
  const answer = await fetch(`${app.url}/api/v1/payments/transfers/${transfer.id}/reject`, {
    method: 'POST',
    headers: {
      ...headers,
      origin: app.url,
      'content-type': 'application/json',
      'x-book': merchant.books.test,
    },
    body: JSON.stringify({ contentHash }),
  });
  return answer.status;
}

const stateOf = async (id: string) => (await app.transfer(id)).state;

describe('an approval', () => {
  for (const look of widthsOf('approvals')) {
    it(`shows the rule, the people and the hash, and is given at ${nameOf(look)}`, async (t) => {
      const { transfer, contentHash } = await store([{ ...BIG, rule: `big ${look.width}` }]);
      const visitor = await app.visit(t, { look, person: approver });
      const { page, open } = visitor;
      await open(`${TEST}/approvals?open=${transfer.id}`);
      await page.getByText(`“big ${look.width}”`).waitFor();
      await page.getByText('you or Natasha Zulu').waitFor();
      await page.getByText('by Thandiwe Mulenga').first().waitFor();
      for (const group of contentHash.match(/.{8}/g) ?? []) {
        await page.getByText(group, { exact: true }).waitFor();
      }
      await page.getByText('You release, in').waitFor();
      await visitor.assertAccessible();
      await visitor.screenshot('approval');
      await page.getByRole('button', { name: 'Approve 1 payout, ZMW 7.00 (test)' }).click();
      await page
        .getByText(/^1 payout approved, ZMW.7\.00$/)
        .first()
        .waitFor();
      assert.notEqual(await stateOf(transfer.id), 'awaiting_approval');
    });
  }

  it('needs the second factor, which is asked beside it', async (t) => {
    const { transfer } = await store();
    const account = await storeAccount(database, { roles: [{ ...own, role: 'approver' }] });
    const { page, open, screenshot } = await app.visit(t, { look: WIDE });
    await open(`${TEST}/approvals?open=${transfer.id}`);
    await signInThroughPage(page, account);
    await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
    await database.query(
      { name: '', text: 'update sessions set stepped_up_at = null where person_id = $1' },
      [account.id],
    );
    await page.reload();
    const act = page.getByRole('button', { name: 'Approve 1 payout, ZMW 7.00 (test)' });
    await act.waitFor();
    assert.equal(await act.getAttribute('aria-disabled'), 'true');
    await screenshot('approval-code');
    // The browser asks for a passkey, and the person closes its question.
    await page.route(/\/session\/step-up\/passkey\/options$/, (route) =>
      route.fulfill({ json: { data: { challengeId: 'c', options: { challenge: 'AAAA' } } } }),
    );
    await page.evaluate(() => {
      const refuse = () => Promise.reject(new DOMException('closed', 'NotAllowedError'));
      Object.defineProperty(navigator.credentials, 'get', { value: refuse });
    });
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText('No passkey was shown. Nothing was done.').first().waitFor();
    await page.getByLabel('Code from your authenticator app').fill(totpCode(account.totpSecret, 1));
    await act.click();
    await page
      .getByText(/^1 payout approved/)
      .first()
      .waitFor();
    assert.notEqual(await stateOf(transfer.id), 'awaiting_approval');
  });

  it('is given for many with one step, and each has its answer', async (t) => {
    const [first, second] = [await store(), await store()];
    const { page, open, assertAccessible, screenshot } = await app.visit(t, {
      look: WIDE,
      person: approver,
    });
    await open(`${TEST}/approvals?open=${first.transfer.id}`);
    for (const { transfer } of [first, second]) {
      const link = page.locator(`a[href*="open=${transfer.id}"]`);
      await page.getByRole('listitem').filter({ has: link }).getByRole('checkbox').check();
    }
    await page.getByRole('button', { name: 'Approve 2 payouts, ZMW 14.00 (test)' }).waitFor();
    await screenshot('approvals-many');
    // Another person is faster with one of them, and this page has not heard of it yet.
    const hold = async (route: Route) => {
      assert.equal(await reject(owner, first), 200);
      await route.continue();
    };
    await page.route(/approvals\/decide$/, hold, { times: 1 });
    await page.getByRole('button', { name: 'Approve 2 payouts, ZMW 14.00 (test)' }).click();
    const answers = page.getByRole('group', { name: 'What became of each' });
    await answers.getByText('approved', { exact: true }).waitFor();
    await answers.getByText('ALREADY_DECIDED').waitFor();
    await assertAccessible();
    await screenshot('approvals-answers');
    assert.equal(await stateOf(first.transfer.id), 'cancelled');
    assert.notEqual(await stateOf(second.transfer.id), 'awaiting_approval');
  });

  it('is refused with a reason, by a button that is elsewhere', async (t) => {
    const { transfer } = await store();
    const { page, open, screenshot } = await app.visit(t, { look: WIDE, person: approver });
    await open(`${TEST}/transfers/${transfer.id}`);
    const main = await page.getByRole('button', { name: /^Approve 1/ }).boundingBox();
    await page.getByRole('button', { name: 'Reject…' }).click();
    await page.getByLabel('Why').fill('The invoice was paid in October');
    const danger = page.getByRole('button', { name: 'Reject 1 payout, ZMW 7.00 (test)' });
    const box = await danger.boundingBox();
    assert.ok(main !== null && box !== null && box.x + box.width < main.x, 'one is on the other');
    await screenshot('transfer-reject');
    await danger.click();
    await page.getByText('“The invoice was paid in October”').waitFor();
    assert.equal(await stateOf(transfer.id), 'cancelled');
  });

  it('can be rejected by an owner whose approval is not wanted', async (t) => {
    const needed = [{ ...BIG, of: ['approver'] }] as const;
    const [first, second] = [await store(needed), await store(needed)];
    const visit = { look: WIDE, person: owner };
    const { page, open, assertAccessible, screenshot } = await app.visit(t, visit);
    const rejectIt = async () => {
      await page.getByText('You can still reject it.').waitFor();
      assert.equal(await page.getByRole('button', { name: /^Approve/ }).count(), 0);
      await page.getByRole('button', { name: 'Reject…' }).click();
      await page.getByRole('button', { name: 'Back, reject nothing' }).click();
      await page.getByRole('button', { name: 'Reject…' }).click();
      await page.getByLabel('Why').fill('Not this month');
      await assertAccessible();
      await screenshot('approval-reject-only');
      await page.getByRole('button', { name: 'Reject 1 payout, ZMW 7.00 (test)' }).click();
      await page
        .getByText(/^1 payout rejected, ZMW.7\.00$/)
        .first()
        .waitFor();
    };
    await open(`${TEST}/approvals?view=others&open=${first.transfer.id}`);
    await rejectIt();
    await open(`${TEST}/transfers/${second.transfer.id}`);
    await rejectIt();
    assert.deepEqual(
      [await stateOf(first.transfer.id), await stateOf(second.transfer.id)],
      ['cancelled', 'cancelled'],
    );
  });

  it('is not for its maker, who can recall it', async (t) => {
    const { transfer } = await store();
    const { page, open, assertAccessible, screenshot } = await app.visit(t, {
      look: WIDE,
      person: maker,
    });
    await open(`${TEST}/approvals?view=others&open=${transfer.id}`);
    await page.getByText('Not for you to decide.').waitFor();
    assert.equal(await page.getByRole('button', { name: /^Approve/ }).count(), 0);
    await page.getByRole('link', { name: 'Open the transfer' }).click();
    await page.getByRole('heading', { name: 'Rules and approvals' }).waitFor();
    await page.getByText('0 of 1 approvals given').waitFor();
    await assertAccessible();
    await screenshot('transfer-waits');
    await page.getByRole('button', { name: 'Recall…' }).click();
    await page.getByRole('button', { name: 'Recall 1 payout, ZMW 7.00 (test)' }).click();
    await page
      .getByText(/^1 payout recalled, ZMW.7\.00$/)
      .first()
      .waitFor();
    assert.equal(await stateOf(transfer.id), 'cancelled');
  });
});

describe('the approval that is open', () => {
  const APPROVE = /^Approve 1 payout, ZMW.7\.00/;

  /** In the order of the list, which is that of their ids. */
  async function storeTwo() {
    const [one, other] = [await store(), await store()];
    const isFirst = one.transfer.id < other.transfer.id;
    return isFirst ? { first: one, second: other } : { first: other, second: one };
  }

  it('stays when another person decides it, and the next one begins without its reason', async (t) => {
    const { first, second } = await storeTwo();
    const { page, open, assertAccessible, screenshot } = await app.visit(t, {
      look: WIDE,
      person: approver,
    });
    await open(`${TEST}/approvals`);
    await page.getByRole('button', { name: 'Reject…' }).click();
    await page.getByLabel('Why').fill('The number is wrong');
    assert.equal(await reject(owner, first), 200);
    await page.getByText('This no longer waits.').waitFor();
    assert.equal(await page.getByRole('button', { name: /^(?:Approve|Reject) 1/ }).count(), 0);
    await assertAccessible();
    await screenshot('approvals-decided-elsewhere');
    await page.getByRole('button', { name: 'Open the next one' }).click();
    const act = page.getByRole('button', { name: APPROVE });
    await act.waitFor();
    assert.equal(await page.getByLabel('Why').count(), 0);
    await act.click();
    await page
      .getByText(/^1 payout approved/)
      .first()
      .waitFor();
    assert.notEqual(await stateOf(second.transfer.id), 'awaiting_approval');
  });

  it('is followed by one that takes no click for a moment', async (t) => {
    const { first, second } = await storeTwo();
    const { page, open } = await app.visit(t, { look: WIDE, person: approver });
    await open(`${TEST}/approvals`);
    const act = page.getByRole('button', { name: APPROVE });
    const link = page.locator(`[aria-current=true] a[href*="open=${second.transfer.id}"]`);
    await page.getByRole('button', { name: APPROVE, disabled: false }).waitFor();
    // The second click comes as soon as the next one is in sight.
    await page.evaluate((id) => {
      const press = () => document.querySelector<HTMLElement>('.deciding .btn-main')?.click();
      const watch = new MutationObserver(() => {
        if (document.querySelector(`[aria-current=true] a[href*="open=${id}"]`) === null) return;
        if (document.querySelector('.deciding') === null) return;
        watch.disconnect();
        press();
      });
      watch.observe(document.body, { subtree: true, childList: true, attributes: true });
      press();
    }, second.transfer.id);
    await link.waitFor();
    await page.getByRole('button', { name: APPROVE, disabled: false }).waitFor();
    assert.notEqual(await stateOf(first.transfer.id), 'awaiting_approval');
    assert.equal(await stateOf(second.transfer.id), 'awaiting_approval');
    // What came meanwhile is shown when the last one is decided.
    const third = await store();
    await page.getByText('1 newer approval').waitFor();
    await act.click();
    await page.locator(`[aria-current=true] a[href*="open=${third.transfer.id}"]`).waitFor();
    await act.click();
    await page.getByText('Nothing waits for you').waitFor();
  });

  it('is found behind pages that hold nothing for the reader', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person: approver });
    const stored = await store();
    await page.route(/payments\/approvals\?view=mine/, async (route) => {
      const url = new URL(route.request().url());
      if (url.searchParams.has('cursor')) {
        url.searchParams.delete('cursor');
        await route.fulfill({ response: await route.fetch({ url: url.href }) });
        return;
      }
      await route.fulfill({ json: { data: { items: [], nextCursor: 'next' } } });
    });
    await open(`${TEST}/approvals`);
    await page.locator(`a[href*="open=${stored.transfer.id}"]`).waitFor();
    assert.equal(await reject(owner, stored), 200);
  });

  it('is not all that was decided when there are older ones, which is said', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person: approver });
    await page.route(/payments\/approvals\?view=decided/, async (route) => {
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: object };
      await route.fulfill({ response, json: { data: { ...data, nextCursor: 'older' } } });
    });
    await open(`${TEST}/approvals?view=decided`);
    await page.getByText('These are the newest 100. There are older ones.').waitFor();
  });
});

describe('approvals', () => {
  for (const look of looksOf('approvals')) {
    it(`are whole and accessible at ${nameOf(look)}`, async (t) => {
      await store([{ rule: 'very big', count: 2, of: ['owner'] }]);
      const { page, open, assertAccessible, screenshot } = await app.visit(t, {
        look,
        person: owner,
      });
      for (const [name, view, known] of [
        ['approvals-mine', '', 'no one can give it now'],
        ['approvals-decided', '?view=decided', 'rejected'],
      ] as const) {
        await open(`${TEST}/approvals${view}`);
        await page.getByRole('main').getByText(known).first().waitFor();
        await assertAccessible();
        await screenshot(name);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= look.width, `${name} is ${width} px wide`);
      }
    });
  }

  it('count in the column what the reader can decide, without a reload', async (t) => {
    const other = await person('Ngozi Adeyemi', 'approver');
    const { page, open } = await app.visit(t, { look: WIDE, person: other });
    const counted = page.waitForResponse(/approvals\?view=mine/);
    await open(`${TEST}/overview`);
    await (await counted).finished();
    const place = page.getByRole('link', { name: /^Approvals/ });
    await page.getByText('Needs you').waitFor();
    const before = await place.innerText();
    await store();
    await page.waitForFunction(
      (text) => document.querySelector('a[href$="/approvals"]')?.textContent !== text,
      before,
    );
    assert.match(await place.innerText(), /\d/);
  });
});
