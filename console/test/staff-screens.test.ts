import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { storeTestEndpoint } from '../../service/test/stored-delivery.ts';
import { storeDoubt } from '../../service/test/stored-doubt.ts';
import { storePerson } from '../../service/test/test-person.ts';
import { LOOKS, nameOf, openConsole, type Visitor } from './browser.ts';

const app = await openConsole();
after(() => app.close());

const { database, merchant } = app;
/** A browser writes every 404 as an error, also that of a stream that is not offered. */
const allowed = [/status of 404 .* at \S+\/stream$/];
const admin = await storePerson(database, {
  name: 'Kelvin Sakala',
  staffRoles: ['admin', 'treasurer'],
});
const doubt = await storeDoubt(database, { operator: 'mtn' });
const paid = await app.initiate({ amount: 1250.5, reference: 'salary-10-kitwe' });
await app.transferOnce(paid.id, ({ state }) => state === 'succeeded');
await storeTestEndpoint(database, {
  bookId: merchant.books.test,
  failingSince: new Date(Date.now() - 7_200_000),
});
await database.query(
  {
    name: '',
    text: `insert into incidents (book_id, id, transfer_id, kind, detail, opened_at)
           values ($1, $2, $3, 'paid_after_failed', 'MTN says that it paid what it had refused before.', now())`,
  },
  [doubt.bookId, randomUUID(), doubt.id],
);

type Screen = Readonly<{
  name: string;
  path: string;
  shows: (page: Visitor['page']) => Promise<unknown>;
}>;

const SCREENS: readonly Screen[] = [
  {
    name: 'staff-overview',
    path: '/staff/overview',
    shows: (page) => page.getByRole('heading', { name: 'Work for people' }).waitFor(),
  },
  {
    name: 'staff-transfers',
    path: '/staff/transfers',
    shows: (page) => page.getByText('salary-10-kitwe').waitFor(),
  },
  {
    name: 'staff-transfer',
    path: `/staff/transfers/${paid.id}`,
    shows: (page) => page.getByRole('heading', { name: 'What happened' }).waitFor(),
  },
  {
    name: 'incidents',
    path: '/staff/incidents',
    shows: (page) => page.getByRole('row', { name: /Paid after failed/ }).waitFor(),
  },
];

describe('the screens of the staff', () => {
  for (const look of LOOKS) {
    it(`show what there is and are accessible at ${nameOf(look)}`, async (t) => {
      const visitor = await app.visit(t, { look, person: admin, allowed });
      for (const { name, path, shows } of SCREENS) {
        await visitor.open(path);
        await shows(visitor.page);
        await visitor.assertAccessible();
        await visitor.screenshot(name);
        const width = await visitor.page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= look.width, `${name} is ${width} px wide`);
      }
    });
  }
});
