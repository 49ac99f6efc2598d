import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { staffCalls } from '../contract/staff-calls.ts';
import { pollUntil } from '../poll.ts';
import { storePerson, type TestPerson } from '../test-person.ts';
import { type LiveWorld, openLiveWorld } from './live-world.ts';

/** What an emulated account holds at first. */
const OPENING = '1000000000.00';

type Float = Readonly<Record<string, unknown>>;

describe('the floats of routes', () => {
  let world: LiveWorld;
  let treasurer: TestPerson;
  let support: TestPerson;
  let calls: ReturnType<typeof staffCalls>;
  before(async () => {
    world = await openLiveWorld({ operators: ['mtn', 'zamtel'], timeScale: 0.01 });
    const { database } = world;
    treasurer = await storePerson(database, { name: 'Chanda', staffRoles: ['treasurer'] });
    support = await storePerson(database, { name: 'Mulenga', staffRoles: ['support'] });
    calls = staffCalls(world.service().baseUrl);
  });
  after(() => world.close());

  async function floatOf(route: string, wanted: (float: Float) => boolean): Promise<Float> {
    let found: Float | undefined;
    await pollUntil(`the float of ${route}`, async () => {
      const { items } = await calls.get(treasurer, '/floats');
      found = (items as Float[]).find((one) => one['route'] === route && wanted(one));
      return found !== undefined;
    });
    return found ?? {};
  }

  it("are listed with the operator's figure and our own, or as unknown", async () => {
    const mtn = await floatOf('mtn-zm', ({ readAt }) => readAt !== null);
    assert.deepEqual(
      [mtn['level'], mtn['operators'], mtn['ours'], mtn['difference'], mtn['spendable']],
      ['ok', OPENING, OPENING, '0.00', OPENING],
    );
    assert.deepEqual([mtn['operator'], mtn['country'], mtn['currency']], ['mtn', 'zm', 'ZMW']);
    assert.equal(mtn['hoursLeft'], null, 'nothing was paid yet');
    const zamtel = await floatOf('zamtel-zm', () => true);
    assert.deepEqual(
      [zamtel['level'], zamtel['reportsBalance'], zamtel['operators'], zamtel['spendable']],
      ['unknown', false, null, null],
    );
    assert.equal((await calls.send('GET', '/floats', support)).status, 200);
  });

  it('follow what was paid, with nothing unexplained', async () => {
    const { data } = await world.api().post('transfers/mobile-money', {
      amount: 250.5,
      reference: 'float-1',
      phone: '0966123456',
      operator: 'mtn',
      country: 'zm',
      walletId: world.merchant.wallets.live.ZMW,
    });
    assert.equal((data as { mode: string }).mode, 'live');
    const paid = await floatOf('mtn-zm', ({ paidInDay, operators }) => {
      return paidInDay === '250.50' && operators !== OPENING;
    });
    assert.deepEqual(
      [paid['operators'], paid['ours'], paid['difference']],
      ['999999749.50', '999999749.50', '0.00'],
    );
    assert.ok(Number(paid['hoursLeft']) > 1_000_000);
  });

  it('take an explanation of what came or left by other ways, on record', async () => {
    const { ours } = await floatOf('mtn-zm', () => true);
    const told = { currency: 'ZMW', amount: '-49.50', reason: 'charges of November' };
    const changed = await calls.done(treasurer, '/floats/mtn-zm/explain', told);
    assert.equal(Number(changed.ours), Number(ours) - 49.5);
    assert.equal(changed.difference, '49.50');
    const { items } = await calls.get(treasurer, '/audit?kind=FLOAT_EXPLAINED');
    assert.deepEqual([items.length, items[0].subject], [1, 'mtn-zm']);
    for (const [path, body, answer] of [
      ['mtn-zm', { ...told, amount: '0' }, [400, 'VALIDATION_ERROR']],
      ['mtn-zm', { ...told, currency: 'NGN' }, [404, 'NOT_FOUND']],
      ['gone', told, [404, 'NOT_FOUND']],
      ['zamtel-zm', told, [409, 'INVALID_STATE']],
    ] as const) {
      const { status, code } = await calls.post(treasurer, `/floats/${path}/explain`, body);
      assert.deepEqual([status, code], answer, path);
    }
  });

  it('are a verdict for merchants, and never a figure', async () => {
    const verdicts = async (amount: string) => {
      const rows = [`0966123451,${amount},mtn`, `0966123452,${amount},mtn`, '0955123453,5,zamtel'];
      const response = await fetch(`${world.service().baseUrl}/api/v1/payments/payout-files`, {
        method: 'POST',
        headers: { 'x-api-key': world.merchant.keys.live, 'content-type': 'text/csv' },
        body: ['phone,amount,operator', ...rows].join('\n'),
      });
      const { data } = (await response.json()) as { data: { id: string } };
      let file: { state: string; operators: readonly Float[] } | undefined;
      await pollUntil('the draft', async () => {
        file = (await world.api().get(`payout-files/${data.id}`)).data as typeof file;
        return file?.state === 'draft';
      });
      assert.ok(!JSON.stringify(file).includes('9999997'), 'the figure is the company’s');
      return Object.fromEntries(
        (file?.operators ?? []).map(({ operator, float }) => [String(operator), float]),
      );
    };
    assert.deepEqual(await verdicts('1000'), { mtn: 'enough', zamtel: 'unknown' });
    assert.deepEqual(await verdicts('600000000'), { mtn: 'not_enough', zamtel: 'unknown' });
  });

  it('are in the metrics, with their level', async () => {
    const { baseUrl } = world.service();
    const text = await (await fetch(`${baseUrl}/metrics`)).text();
    assert.match(text, /^kafue_float\{route="mtn-zm",currency="ZMW"\} 999999749\.5$/m);
    assert.match(text, /^kafue_float_level\{route="mtn-zm",currency="ZMW",level="ok"\} 1$/m);
    assert.match(
      text,
      /^kafue_float_level\{route="zamtel-zm",currency="ZMW",level="unknown"\} 1$/m,
    );
  });
});
