import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { readBalance, storeDoubt } from '../../service/test/stored-doubt.ts';
import { storePerson, type TestPerson } from '../../service/test/test-person.ts';
import { type Look, looksOf, nameOf, openConsole, widthsOf } from './browser.ts';

const app = await openConsole();
after(() => app.close());

const { database } = app;
/** A browser writes every 404 as an error, also that of a stream that is not offered. */
const allowed = [/status of 404 .* at \S+\/stream$/];
const treasurer = await storePerson(database, { name: 'Chanda Phiri', staffRoles: ['treasurer'] });
const admin = await storePerson(database, { name: 'Kelvin Sakala', staffRoles: ['admin'] });
const support = await storePerson(database, { name: 'Mutinta Moonga', staffRoles: ['support'] });

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
  await page.getByLabel('What you saw yourself').fill(`Statement of MTN, seen by ${person.name}`);
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
