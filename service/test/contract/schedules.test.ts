import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { createTestMerchant } from '../test-merchant.ts';
import { storePerson } from '../test-person.ts';
import { assertRefused, brokenFields, type Fields, fieldsOf, listOf } from './api-client.ts';
import { openContract, poll } from './open-contract.ts';
import { openOwnerClient } from './owner-client.ts';
import { callAs } from './person-client.ts';
import { refusalOf, staffCalls } from './staff-calls.ts';

const DAY_MS = 24 * 60 * 60_000;
const contract = await openContract();
after(() => contract.close());
const { api, merchant, database, service } = contract;
const admin = await storePerson(database, { name: 'Grace Phiri', staffRoles: ['admin'] });
const auditor = await storePerson(database, { staffRoles: ['auditor'] });
const staff = staffCalls(service.baseUrl);

const RECURRENCE = { every: 'month', day: 31, at: '08:30', ifHoliday: 'before' };
const ROW = {
  amount: 120.5,
  phone: '0977433571',
  operator: 'airtel',
  country: 'zm',
  recipientName: 'Joseph Tembo',
};
const scheduleOf = (changes: Fields = {}) => ({
  name: `Salaries ${randomUUID()}`,
  walletId: merchant.wallets.test.ZMW,
  recurrence: RECURRENCE,
  rows: [ROW, { ...ROW, phone: '0966433571', operator: 'mtn' }],
  ...changes,
});
async function create(changes: Fields = {}): Promise<Fields> {
  const answer = await api.post('schedules', scheduleOf(changes));
  assert.equal(answer.status, 201, answer.text);
  return answer.data;
}
const put = (path: string, body: Fields) =>
  api.send({ method: 'PUT', path, headers: { 'content-type': 'application/json' }, body });
/** A month that no other test of the day looks at, and that is far enough for no time of it to have passed. */
const nextMonth = () => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
    .toISOString()
    .slice(0, 7);
};

describe('a schedule', () => {
  it('is made, shows its next five times, and is listed and found', async () => {
    const made = await create();
    assert.deepEqual(
      [made.state, made.payouts, made.sum, made.currency, made.country],
      ['active', 2, '241.00', 'ZMW', 'zm'],
    );
    assert.deepEqual([made.recurrence, made.zone], [RECURRENCE, 'Africa/Lusaka']);
    const next = listOf(made.next);
    assert.equal(next.length, 5);
    for (const { payAt, ruleDay, payDay } of next) {
      assert.match(String(payAt), /T06:30:00\.000Z$/);
      assert.ok(String(payDay) <= String(ruleDay));
      assert.ok(![0, 6].includes(new Date(`${String(payDay)}T12:00Z`).getUTCDay()), String(payDay));
    }
    assert.equal(made.nextAt, next[0]?.payAt);
    const found = await api.get(`schedules/${String(made.id)}`);
    assert.deepEqual(found.data, made);
    const { data } = await api.get('schedules');
    assert.equal(listOf(data.items)[0]?.id, made.id);
    const dates = await api.get(`schedules/${String(made.id)}/next`);
    assert.deepEqual(dates.data, { zone: 'Africa/Lusaka', items: made.next });
    const rows = await api.get(`schedules/${String(made.id)}/rows?limit=1`);
    assert.deepEqual(
      listOf(rows.data.items).map(({ number, phone, amount }) => [number, phone, amount]),
      [[1, '+260977433571', 120.5]],
    );
    const more = await api.get(
      `schedules/${String(made.id)}/rows?cursor=${String(rows.data.nextCursor)}`,
    );
    assert.deepEqual(
      listOf(more.data.items).map(({ number, operator }) => [number, operator]),
      [[2, 'mtn']],
    );
  });

  it('is refused with every broken field', async () => {
    const answer = await api.post('schedules', {
      name: ' ',
      walletId: 'x',
      recurrence: { ...RECURRENCE, day: 32 },
      rows: [ROW, { ...ROW, phone: '123' }],
      other: 1,
    });
    assert.deepEqual(brokenFields(answer), {
      other: 'UNKNOWN_FIELD',
      name: 'INVALID_TEXT',
      walletId: 'INVALID_WALLET_ID',
      recurrence: 'INVALID_RECURRENCE',
      rows: 'INVALID_LIST',
    });
    assert.match(answer.text, /Row 2: phone: /);
    assert.match(answer.text, /day: 1 to 31, last or last_working_day\./);
  });

  it('needs a wallet of the book, in the currency of its rows, and a list', async () => {
    const { wallets } = await createTestMerchant(database);
    assertRefused(
      await api.post('schedules', scheduleOf({ walletId: wallets.test.ZMW })),
      404,
      'WALLET_NOT_FOUND',
    );
    assertRefused(
      await api.post('schedules', scheduleOf({ walletId: merchant.wallets.test.NGN })),
      422,
      'CURRENCY_MISMATCH',
    );
    const without = await api.post('schedules', scheduleOf({ rows: null }));
    assert.deepEqual(brokenFields(without), { payoutFileId: 'REQUIRED' });
    const unknown = await api.post(
      'schedules',
      scheduleOf({ rows: null, payoutFileId: wallets.test.ZMW }),
    );
    assert.deepEqual(brokenFields(unknown), { payoutFileId: 'INVALID_ID' });
  });

  it('has a name of its own until it has ended, so that a repeated call makes no second one', async () => {
    const order = scheduleOf();
    const { id } = (await api.post('schedules', order)).data;
    const again = await api.post('schedules', order);
    assert.deepEqual(brokenFields(again), { name: 'TAKEN' });
    await api.post(`schedules/${String(id)}/end`, {});
    assert.equal((await api.post('schedules', order)).status, 201);
  });

  it('is changed, paused, resumed and ended', async () => {
    const { id } = await create();
    const path = `schedules/${String(id)}`;
    const weekly = { every: 'week', day: 'fri', at: '17:00' };
    const change = scheduleOf({ name: `Wages ${String(id)}`, recurrence: weekly, rows: null });
    const changed = await put(path, change);
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(
      [changed.data.name, changed.data.payouts, fieldsOf(changed.data.recurrence).ifHoliday],
      [`Wages ${String(id)}`, 2, 'same'],
    );
    const paused = (await api.post(`${path}/pause`, {})).data;
    assert.deepEqual([paused.state, paused.nextAt, paused.next], ['paused', null, []]);
    const resumed = (await api.post(`${path}/resume`, {})).data;
    assert.deepEqual([resumed.state, resumed.nextAt], ['active', changed.data.nextAt]);
    const ended = (await api.post(`${path}/end`, {})).data;
    assert.deepEqual([ended.state, ended.nextAt], ['ended', null]);
    assertRefused(await api.post(`${path}/resume`, {}), 409, 'INVALID_STATE');
    assertRefused(await put(path, change), 409, 'INVALID_STATE');
  });

  it('is not changed by a person who saw it before another change', async () => {
    const { id, version } = await create();
    const path = `schedules/${String(id)}`;
    const change = (changes: Fields) => scheduleOf({ name: `Wages ${String(id)}`, ...changes });
    // Another list of the same count and sum.
    const rows = [ROW, { ...ROW, phone: '0966433572', operator: 'mtn' }];
    const first = await put(path, change({ rows, version }));
    assert.equal(first.status, 200, first.text);
    assert.notEqual(first.data.version, version);
    const stale = await put(path, change({ rows: null, version }));
    assertRefused(stale, 409, 'CONTENT_CHANGED');
    const found = (await api.get(path)).data;
    assert.deepEqual(found, first.data);
    const late = await put(path, change({ name: `Late ${String(id)}`, version: found.version }));
    assert.equal(late.status, 200, late.text);
    assert.equal((await put(path, change({}))).status, 200, 'without a version');
    assert.deepEqual(brokenFields(await put(path, change({ version: 3 }))), {
      version: 'INVALID_TEXT',
    });
    const made = await api.post('schedules', scheduleOf({ version }));
    assert.deepEqual(brokenFields(made), { version: 'UNKNOWN_FIELD' });
  });

  it('of another merchant does not exist', async () => {
    const { id } = await create();
    const other = contract.apiWith((await createTestMerchant(database)).keys.test);
    for (const path of ['', '/next', '/rows', '/occurrences']) {
      const answer = await other.get(`schedules/${String(id)}${path}`);
      assertRefused(answer, 404, 'SCHEDULE_NOT_FOUND');
    }
    assertRefused(await other.post(`schedules/${String(id)}/end`, {}), 404, 'SCHEDULE_NOT_FOUND');
  });

  it('has its maker and is recorded in the activity', async () => {
    const maker = await storePerson(database, {
      name: 'Bwalya Zulu',
      roles: [{ merchantId: merchant.id, role: 'maker' }],
    });
    const bookId = merchant.books.test;
    const made = await callAs(service.baseUrl, maker, 'payments/schedules', {
      method: 'POST',
      bookId,
      body: scheduleOf(),
    });
    assert.deepEqual(made.data.madeBy, { kind: 'person', id: maker.id, name: 'Bwalya Zulu' });
    const { data } = await callAs(service.baseUrl, maker, `merchants/${merchant.id}/activity`);
    const act = listOf(data.items).find(({ subject }) => subject === made.data.id);
    assert.equal(act?.kind, 'SCHEDULE_CREATED');
  });
});

describe('the time of a schedule', () => {
  /** As if the service had been down since the last time before now. */
  async function passOne({ id }: Fields): Promise<void> {
    const text = `
      update schedules set next_period = next_period - 1, next_at = now() - interval '1 hour' where id = $1`;
    await database.query({ name: '', text }, [id]);
  }
  const lateWithin = (bookId: string, ms: number) =>
    database.query({ name: '', text: 'update books set send_late_within_ms = $2 where id = $1' }, [
      bookId,
      ms,
    ]);
  const made = (client: typeof api, { id }: Fields, wanted: (one: Fields) => boolean) =>
    poll(
      async () => listOf((await client.get(`schedules/${String(id)}/occurrences`)).data.items),
      (items) => items.some(wanted),
    );

  async function readFile(one: Fields | undefined): Promise<Fields> {
    const text = 'select source, name, state from payout_files where id = $1';
    const [file] = await database.query<Fields>({ name: '', text }, [one?.payoutFileId]);
    assert.ok(file !== undefined);
    return file;
  }

  it('makes a payout file that is paid once', async () => {
    const own = await createTestMerchant(database);
    const client = contract.apiWith(own.keys.test);
    await lateWithin(own.books.test, 40 * DAY_MS);
    const order = scheduleOf({ walletId: own.wallets.test.ZMW });
    const schedule = (await client.post('schedules', order)).data;
    await passOne(schedule);
    const [one, ...others] = await made(client, schedule, ({ state }) => state === 'submitted');
    assert.deepEqual([others.length, one?.waitsBecause, one?.refusal], [0, null, null]);
    const file = await poll(
      () => readFile(one),
      ({ state }) => state === 'done',
    );
    assert.deepEqual(
      [file.source, file.name],
      ['schedule', `${String(schedule.name)} ${String(one?.period)}`],
    );
    const { data } = await client.get('transfers');
    assert.deepEqual(
      listOf(data.items).map(({ source, amount, state }) => [source, amount, state]),
      [
        ['schedule', 120.5, 'succeeded'],
        ['schedule', 120.5, 'succeeded'],
      ],
    );
    const shown = (await client.get(`schedules/${String(schedule.id)}`)).data;
    assert.deepEqual([shown.nextAt, fieldsOf(shown.last).period], [schedule.nextAt, one?.period]);
  });

  it('that was missed by more than the policy allows waits for a person', async () => {
    const own = await createTestMerchant(database);
    const client = contract.apiWith(own.keys.test);
    await lateWithin(own.books.test, 60_000);
    await storePerson(database, { roles: [{ merchantId: own.id, role: 'approver' }] });
    const order = scheduleOf({ walletId: own.wallets.test.ZMW });
    const schedule = (await client.post('schedules', order)).data;
    await passOne(schedule);
    const [one] = await made(client, schedule, ({ state }) => state === 'submitted');
    assert.equal(one?.waitsBecause, 'LATE');
    assert.equal((await readFile(one)).state, 'awaiting_approval');
    assert.deepEqual(listOf((await client.get('transfers')).data.items), []);
  });

  it('that cannot be submitted says why', async () => {
    const own = await createTestMerchant(database);
    const client = contract.apiWith(own.keys.test);
    await lateWithin(own.books.test, 40 * DAY_MS);
    const walletId = await own.createWallet({ fundedMinor: 100_000n });
    const schedule = (await client.post('schedules', scheduleOf({ walletId }))).data;
    const text = `update wallets set status = 'frozen' where id = $1`;
    await database.query({ name: '', text }, [walletId]);
    await passOne(schedule);
    const [one] = await made(client, schedule, ({ state }) => state === 'refused');
    assert.equal(fieldsOf(one?.refusal).code, 'WALLET_INACTIVE');
  });

  it('that cannot be submitted needs a person until its draft is submitted, also after later times', async () => {
    const own = await createTestMerchant(database);
    const client = contract.apiWith(own.keys.test);
    const owner = await openOwnerClient({ database, api: contract.apiWith() }, own);
    await lateWithin(own.books.test, 100 * DAY_MS);
    const walletId = await own.createWallet({ fundedMinor: 100_000n });
    const schedule = (await client.post('schedules', scheduleOf({ walletId }))).data;
    const run = (text: string, values: readonly unknown[]) =>
      database.query({ name: '', text }, values);
    await run(`update wallets set status = 'frozen' where id = $1`, [walletId]);
    await run(
      `update schedules set next_period = next_period - 2, next_at = now() - interval '1 hour' where id = $1`,
      [schedule.id],
    );
    const both = await poll(
      async () =>
        listOf((await client.get(`schedules/${String(schedule.id)}/occurrences`)).data.items),
      (items) => items.length === 2 && items.every(({ state }) => state === 'refused'),
    );
    const [later, earlier] = both;
    const shownRefused = async () => {
      const { last, refused } = (await client.get(`schedules/${String(schedule.id)}`)).data;
      return [fieldsOf(last).period, refused === null ? null : fieldsOf(refused).payoutFileId];
    };
    assert.deepEqual(await shownRefused(), [later?.period, later?.payoutFileId]);
    const needOf = (data: Fields) =>
      listOf(data.needsYou)
        .filter(({ kind }) => kind === 'not_submitted')
        .map(({ count, sum, currency, link }) => [count, sum, currency, link]);
    assert.deepEqual(needOf((await owner.get('overview')).data), [
      [2, '482.00', 'ZMW', '/schedules'],
    ]);
    const month = String(earlier?.payAt).slice(0, 7);
    const days = listOf((await client.get(`calendar?month=${month}`)).data.days);
    const item = days
      .flatMap(({ items }) => listOf(items))
      .find(({ payoutFileId }) => payoutFileId === earlier?.payoutFileId);
    assert.deepEqual([item?.state, fieldsOf(item?.refusal).code], ['draft', 'WALLET_INACTIVE']);

    await run(`update wallets set status = 'active' where id = $1`, [walletId]);
    const submitted = await client.post(`payout-files/${String(later?.payoutFileId)}/submit`, {});
    assert.equal(submitted.status, 200, submitted.text);
    assert.deepEqual(await shownRefused(), [later?.period, earlier?.payoutFileId]);
    const needs = await poll(
      async () => needOf((await owner.get('overview')).data),
      ([need]) => need?.[0] === 1,
    );
    assert.deepEqual(needs, [[1, '241.00', 'ZMW', `/files/${String(earlier?.payoutFileId)}`]]);
    await client.send({ method: 'DELETE', path: `payout-files/${String(earlier?.payoutFileId)}` });
    assert.deepEqual(await shownRefused(), [later?.period, null]);
  });
});

describe('the dates of a recurrence', () => {
  it('are shown before anything is stored', async () => {
    const query = 'country=ng&every=week&day=fri&at=09:15&ifHoliday=after';
    const { data } = await api.get(`schedules/dates?${query}`);
    assert.equal(data.zone, 'Africa/Lagos');
    const items = listOf(data.items);
    assert.equal(items.length, 5);
    for (const { payAt, ruleDay } of items) {
      assert.match(String(payAt), /T08:15:00\.000Z$/);
      assert.equal(new Date(`${String(ruleDay)}T12:00Z`).getUTCDay(), 5);
    }
    const broken = await api.get('schedules/dates?country=zm&every=week&day=31&at=25:00');
    assert.deepEqual(brokenFields(broken), { at: 'INVALID_RECURRENCE' });
  });
});

describe('the calendar', () => {
  it('has count and sum of each day, with schedules and scheduled transfers', async () => {
    const own = await createTestMerchant(database);
    const client = contract.apiWith(own.keys.test);
    const month = nextMonth();
    const walletId = own.wallets.test.ZMW;
    const recurrence = { every: 'month', day: 12, at: '08:30' };
    await client.post('schedules', scheduleOf({ walletId, recurrence }));
    // One day in UTC, and two in Zambia.
    for (const [amount, time] of [
      [10, '12T23:30'],
      [20.25, '13T00:30'],
    ] as const) {
      const sendAt = `${month}-${time}:00+02:00`;
      const order = contract.order({ walletId, sendAt, amount });
      const sent = await client.post('transfers/mobile-money', order);
      assert.equal(sent.data.state, 'scheduled', sent.text);
    }
    const { data } = await client.get(`calendar?month=${month}`);
    assert.deepEqual([data.month, data.country, data.zone], [month, 'zm', 'Africa/Lusaka']);
    const busy = listOf(data.days).filter(({ count }) => count !== 0);
    assert.deepEqual(
      busy.map(({ date, count, sums }) => [date, count, sums]),
      [
        [`${month}-12`, 3, [{ currency: 'ZMW', sum: '251.00' }]],
        [`${month}-13`, 1, [{ currency: 'ZMW', sum: '20.25' }]],
      ],
    );
    assert.deepEqual(
      listOf(busy[0]?.items).map(({ kind, count, sum }) => [kind, count, sum]),
      [
        ['schedule', 2, '241.00'],
        ['transfers', 1, '10.00'],
      ],
    );
  });

  it('has the holidays of the country', async () => {
    const { data } = await api.get('calendar?month=2027-12&country=ng');
    const days = listOf(data.days);
    assert.equal(days.length, 31);
    assert.deepEqual(
      days.flatMap(({ holidays }) => listOf(holidays).map(({ name }) => name)),
      ['Christmas Day', 'Boxing Day'],
    );
    const broken = await api.get('calendar?month=2027-13');
    assert.deepEqual(brokenFields(broken), { month: 'INVALID_DATE' });
  });
});

describe('holidays', () => {
  it('are entered and removed by an admin, and move schedules', async () => {
    const made = await create({
      recurrence: { every: 'month', day: 12, at: '08:30', ifHoliday: 'after' },
    });
    const [first] = listOf(made.next);
    const day = String(first?.payDay);
    const holiday = { country: 'zm', day, name: 'Day of mourning', source: 'Gazette notice' };
    const entered = await staff.post(admin, '/holidays', holiday);
    assert.deepEqual([entered.status, entered.data.enteredBy], [201, 'Grace Phiri']);
    const again = await staff.post(admin, '/holidays', holiday);
    assert.deepEqual(refusalOf(again), [400, 'VALIDATION_ERROR']);
    const shown = await api.get(`holidays?country=zm&year=${day.slice(0, 4)}`);
    const found = listOf(shown.data.items).find((one) => one.day === day);
    assert.equal(found?.enteredBy, 'Kafue staff');
    const { data } = await api.get(`schedules/${String(made.id)}/next`);
    assert.ok(String(listOf(data.items)[0]?.payDay) > day);
    const path = `/holidays/zm/${day}`;
    assert.deepEqual(refusalOf(await staff.send('DELETE', path, auditor)), [403, 'FORBIDDEN']);
    assert.equal((await staff.send('DELETE', path, admin)).status, 200);
    assert.deepEqual(refusalOf(await staff.send('DELETE', path, admin)), [404, 'NOT_FOUND']);
    const audit = await staff.get(auditor, `/audit?kind=HOLIDAY_REMOVED`);
    assert.equal(audit.items[0]?.subject, `zm ${day}`);
  });

  it('that the law fixes come with the service, and Islamic ones do not', async () => {
    const names = async (country: string) => {
      const { data } = await api.get(`holidays?country=${country}&year=2028`);
      return listOf(data.items).map(({ day, name }) => `${String(day)} ${String(name)}`);
    };
    const zambia = await names('zm');
    assert.ok(zambia.includes('2028-04-14 Good Friday'));
    assert.ok(zambia.includes("2028-07-03 Heroes' Day"));
    const nigeria = await names('ng');
    assert.ok(nigeria.includes('2028-10-01 Independence Day'));
    assert.ok(!nigeria.some((name) => /Eid|Maulud/i.test(name)));
    const broken = await api.get('holidays?year=1999');
    assert.deepEqual(brokenFields(broken), { year: 'INVALID_DATE' });
  });
});
