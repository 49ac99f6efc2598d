import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { staffCalls } from '../../service/test/contract/staff-calls.ts';
import { readBalance, storeDoubt } from '../../service/test/stored-doubt.ts';
import { storePerson, type TestPerson } from '../../service/test/test-person.ts';
import { type Look, looksOf, nameOf, openConsole, WIDE, widthsOf } from './browser.ts';

const app = await openConsole();
after(() => app.close());

const { database } = app;
/** A browser writes every 404 as an error, also that of a stream that is not offered. */
const allowed = [/status of 404 .* at \S+\/stream$/];
const treasurer = await storePerson(database, { name: 'Chanda Phiri', staffRoles: ['treasurer'] });
const admin = await storePerson(database, { name: 'Kelvin Sakala', staffRoles: ['admin'] });
const support = await storePerson(database, { name: 'Mutinta Moonga', staffRoles: ['support'] });

const NOT_AVAILABLE = {
  message: 'Not available now',
  data: { error: { code: 'UNAVAILABLE', retryable: false, requestId: 'none' } },
};
const PAID = { decision: 'paid', receipt: '9914023377', evidence: 'Portal of MTN, ticket 5' };
const { done } = staffCalls(app.service.baseUrl);

/** Stores an answer of the operator that leaves the transfer in doubt: no event tells of it. */
async function storeAnswer(id: string, outcome: string): Promise<void> {
  const text = `
    insert into attempts (book_id, transfer_id, id, route, purpose, operator_reference, request,
                          http_status, answer, outcome, elapsed_ms, ended_at)
    select t.book_id, t.id, gen_random_uuid(), t.route, 'inquire', t.operator_reference, 'GET',
           200, '', $2, 1, now()
    from transfers t where t.id = $1`;
  await database.query({ name: '', text }, [id, outcome]);
}

async function contradict(id: string): Promise<void> {
  const text = `update transfers set contradictions = '{amount}' where id = $1`;
  await database.query({ name: '', text }, [id]);
}

/** Writes down a finding in a browser of the person's own; what follows is for the test to wait for. */
async function find(
  t: Parameters<typeof app.visit>[0],
  given: { look: Look; person: TestPerson; id: string },
) {
  const { look, person, id } = given;
  const visitor = await app.visit(t, { look, person, allowed });
  const { page } = visitor;
  await visitor.open('/staff/doubts');
  await page.locator(`a[href$="/staff/doubts/${id}"]`).first().click();
  await page.getByLabel('It was paid').check();
  assert.equal(await page.getByLabel('What you saw yourself').inputValue(), '');
  assert.equal(await page.getByLabel(/’s receipt$/).inputValue(), '');
  await page.getByLabel(/’s receipt$/).fill('9914023377');
  // In two lines, as people write.
  await page.getByLabel('What you saw yourself').fill(`Statement of MTN,\nseen by ${person.name}`);
  return visitor;
}

describe('doubts', () => {
  for (const look of widthsOf('staff-doubts')) {
    it(`are ended by two people at ${nameOf(look)}`, async (t) => {
      const doubt = await storeDoubt(database);
      const about = { look, id: doubt.id };
      const first = await find(t, { ...about, person: treasurer });
      await first.page.getByRole('button', { name: /^Propose: ZMW.* was paid$/ }).click();
      await first.page.getByText('Your proposal waits for a second person.').waitFor();
      assert.equal(await first.page.getByLabel('It was paid').count(), 0);
      const second = await find(t, { ...about, person: admin });
      await second.page.getByText('A colleague needs you as the second person.').waitFor();
      await second.assertAccessible();
      await second.screenshot('doubt-second');
      await second.page.getByRole('button', { name: /^Confirm: ZMW.* was paid$/ }).click();
      await second.page.getByText('This doubt has ended:').waitFor();
      assert.equal((await readBalance(database, doubt)).heldMinor, 0n);
    });
  }

  it('show what an operator answered while the page is open', async (t) => {
    const { id } = await storeDoubt(database, { operator: 'mtn' });
    const { page, open } = await app.visit(t, { look: WIDE, person: treasurer, allowed });
    await open(`/staff/doubts/${id}`);
    await page.getByText('Nothing is recorded yet.').waitFor();
    await storeAnswer(id, 'notFound');
    await page.getByRole('row', { name: /MTN’s answer.*not found/ }).waitFor();
    // The first may be read because the stream has just opened; this one no event tells of.
    await storeAnswer(id, 'pending');
    await page.getByRole('row', { name: /MTN’s answer.*under way/ }).waitFor();
  });

  it('are not ended by a click that was meant as a proposal', async (t) => {
    const doubt = await storeDoubt(database);
    const { page } = await find(t, { look: WIDE, person: treasurer, id: doubt.id });
    await done(admin, `/transfers/${doubt.id}/resolve`, PAID);
    const decide = page.getByRole('button', { name: /^(?:Propose|Confirm): ZMW.* was paid$/ });
    await decide.click();
    const note = page.getByRole('alert').filter({ hasText: 'Nothing was sent' });
    await note
      .getByText(/Kelvin Sakala says that it was paid.*your next click carries it/)
      .waitFor();
    assert.notEqual((await readBalance(database, doubt)).heldMinor, 0n);
    await page.getByRole('button', { name: /^Confirm: ZMW.* was paid$/ }).click();
    await page.getByText('This doubt has ended:').waitFor();
    assert.equal((await readBalance(database, doubt)).heldMinor, 0n);
  });

  it('say above the decision what the operator contradicted', async (t) => {
    const { id } = await storeDoubt(database, { operator: 'mtn' });
    await contradict(id);
    const visitor = await app.visit(t, { look: WIDE, person: treasurer, allowed });
    await visitor.open(`/staff/doubts/${id}`);
    const decision = visitor.page.getByRole('complementary', { name: 'Decision' });
    await decision.getByText(/MTN contradicts what was sent.*another amount than ZMW/).waitFor();
    await visitor.assertAccessible();
    await visitor.screenshot('doubt-contradicted');
  });

  it('say why they are in doubt, also beside a proposal', async (t) => {
    const { id } = await storeDoubt(database);
    await done(admin, `/transfers/${id}/resolve`, PAID);
    const { page, open } = await app.visit(t, { look: WIDE, person: treasurer, allowed });
    await open(`/staff/doubts/${id}`);
    await page.getByText('A colleague needs you as the second person.').waitFor();
    await page.getByText(/It was sent, and no answer came.*SUBMISSION_LOST/).waitFor();
  });

  it('ask no one as the second person who may not decide', async (t) => {
    const { id } = await storeDoubt(database);
    await done(admin, `/transfers/${id}/resolve`, PAID);
    const { page, open } = await app.visit(t, { look: WIDE, person: support, allowed });
    await open('/staff/doubts?which=second');
    const row = page.getByRole('row').filter({ has: page.locator(`a[href$="${id}"]`) });
    await row.getByText('Waits for a second person').waitFor();
    await row.getByRole('link', { name: /^Look/ }).click();
    await page.getByText('A proposal waits for a second person.').waitFor();
    assert.equal(await page.getByText('A colleague needs you').count(), 0);
  });

  it('say that what is shown is old when it cannot be loaded anew', async (t) => {
    const { id } = await storeDoubt(database);
    const { page, open } = await app.visit(t, {
      look: WIDE,
      person: treasurer,
      allowed: [...allowed, /status of 503/],
    });
    await open(`/staff/doubts/${id}`);
    await page.getByRole('heading', { name: 'What proves what' }).waitFor();
    await page.route(new RegExp(`/operations/transfers/${id}$`), (route) =>
      route.fulfill({ status: 503, json: NOT_AVAILABLE }),
    );
    await page.getByText(/What you see is from/).waitFor();
  });

  for (const look of looksOf('staff-doubts')) {
    it(`are listed and explained, and are accessible at ${nameOf(look)}`, async (t) => {
      const { id } = await storeDoubt(database);
      const visitor = await app.visit(t, { look, person: support, allowed });
      const { page, open, assertAccessible, screenshot } = visitor;
      await open('/staff/doubts');
      await page.getByRole('table', { name: /^Doubts/ }).waitFor();
      await assertAccessible();
      await screenshot('doubts');
      await assertFits();
      await page.locator(`a[href$="/staff/doubts/${id}"]`).first().click();
      await page.getByRole('heading', { name: 'What proves what' }).waitFor();
      await page.getByRole('button', { name: 'Show number' }).click();
      await page.getByText(/\+260 \d\d \d{3} \d{4}/).waitFor();
      await page
        .getByRole('button', { name: 'Say what you found' })
        .and(page.locator('[title="Only admin or treasurer can do this"]'))
        .waitFor();
      await assertAccessible();
      await screenshot('doubt');
      await assertFits();
      async function assertFits() {
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= look.width, `the page is ${width} px wide`);
      }
    });
  }
});
