import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { startOperator } from '../../emulators/start-operators.ts';
import { pollUntil } from '../../service/test/poll.ts';
import { storePerson } from '../../service/test/test-person.ts';
import { looksOf, nameOf, openConsole, type Visitor, WIDE } from './browser.ts';

const folder = await mkdtemp(join(tmpdir(), 'kafue-float-'));
const start = (name: 'mtn' | 'zamtel') =>
  startOperator(name, {
    port: 0,
    folder: join(folder, name),
    timeScale: 0.01,
    callbackBaseUrl: null,
    callsPerSecond: null,
  });
const operators = [await start('mtn'), await start('zamtel')];
const routesFile = join(folder, 'routes.json');
const routes = operators.flatMap((operator) => operator.routes);
await writeFile(
  routesFile,
  // The account holds a thousand million, so this is low.
  JSON.stringify({
    routes: routes.map((route) => ({ ...route, float: { lowBelow: '2000000000.00' } })),
  }),
);
const app = await openConsole({ ROUTES_FILE: routesFile });
after(async () => {
  await app.close();
  await Promise.all(operators.map((operator) => operator.close()));
  await rm(folder, { recursive: true, force: true });
});

/** A browser writes every 404 as an error, also that of a stream that is not offered. */
const allowed = [/status of 404 .* at \S+\/stream$/];
const { database, merchant } = app;
const treasurer = await storePerson(database, { name: 'Thandiwe', staffRoles: ['treasurer'] });
const owner = await storePerson(database, {
  name: 'Joseph Tembo',
  roles: [{ merchantId: merchant.id, role: 'owner' }],
});
await pollUntil('the float', async () => {
  const text = `select route from route_floats where read_at is not null`;
  return (await database.query({ name: '', text })).length > 0;
});

const rowOf = (page: Visitor['page'], route: string) => page.getByRole('row', { name: route });

describe('the floats', () => {
  for (const look of looksOf('float')) {
    it(`are seen with their level at ${nameOf(look)}`, async (t) => {
      const { page, open, assertAccessible, screenshot } = await app.visit(t, {
        look,
        person: treasurer,
        allowed,
      });
      await open('/staff/float');
      const mtn = rowOf(page, 'mtn-zm');
      await mtn.getByText('low', { exact: true }).waitFor();
      assert.match(await mtn.innerText(), /1,000,000,000\.00/);
      const zamtel = rowOf(page, 'zamtel-zm');
      assert.match(await zamtel.innerText(), /not known[^]*Operator reports no balance/);
      await screenshot('float');
      const excessPx = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      });
      assert.ok(excessPx <= 0, 'nothing scrolls sideways');
      await assertAccessible();
    });
  }

  it('take what came into an account, and are then without a difference', async (t) => {
    await database.query({
      name: '',
      text: `update route_floats set opening_minor = opening_minor - 50000000 where route = 'mtn-zm'`,
    });
    const { page, open } = await app.visit(t, { look: WIDE, person: treasurer, allowed });
    await open('/staff/float');
    const mtn = rowOf(page, 'mtn-zm');
    await mtn.getByText('differs by').waitFor();
    await mtn.getByRole('button', { name: 'Explain…' }).click();
    const dialog = page.getByRole('dialog');
    assert.equal(await dialog.getByLabel('Amount in ZMW').inputValue(), '500000.00');
    await dialog.getByText('ZMW 500,000.00 came into the account').waitFor();
    await dialog.getByLabel('Why').fill('top-up, bank order 4711');
    await dialog.getByRole('button', { name: 'Tell our books' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await mtn.getByText('no difference').waitFor();
  });
});

describe('a payout file', () => {
  it('warns where the money with an operator is not enough', async (t) => {
    const response = await fetch(`${app.service.baseUrl}/api/v1/payments/payout-files`, {
      method: 'POST',
      headers: { 'x-api-key': merchant.keys.live, 'content-type': 'text/csv' },
      body: [
        'phone,amount,operator',
        '0966123451,600000000,mtn',
        '0966123452,600000000,mtn',
        '0955123453,12.50,zamtel',
      ].join('\n'),
    });
    const { data } = (await response.json()) as { data: { id: string } };
    const { page, open, assertAccessible, screenshot } = await app.visit(t, {
      look: WIDE,
      person: owner,
      allowed,
    });
    await open(`/b/${merchant.books.live}/files/${data.id}`);
    const totals = page.getByRole('table', { name: 'Totals per operator' });
    await totals.getByText('not enough now').waitFor();
    await totals.getByText('not known').waitFor();
    await page.getByText(/The money that is kept with MTN Zambia is not enough/).waitFor();
    await assertAccessible();
    await screenshot('file-float');
  });
});
