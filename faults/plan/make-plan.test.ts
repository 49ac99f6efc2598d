import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { SERVICE_FAILPOINTS } from '../../service/src/telemetry/failpoint.ts';
import { CONTROL_PEOPLE } from './controls-plan.ts';
import { digestPlan, makePlan } from './make-plan.ts';
import { FULL_SIZE } from './plan-size.ts';

const MODULE = new URL('./make-plan.ts', import.meta.url).href;
const SIZE_MODULE = new URL('./plan-size.ts', import.meta.url).href;
const SEEDS = 100;
const plans = Array.from({ length: SEEDS }, (_, seed) => makePlan(seed, FULL_SIZE));

describe('the plan of a seed', () => {
  it('is the same in every process', () => {
    const script = `
      const { digestPlan, makePlan } = await import(${JSON.stringify(MODULE)});
      const { FULL_SIZE } = await import(${JSON.stringify(SIZE_MODULE)});
      process.stdout.write(digestPlan(makePlan(7, FULL_SIZE)));`;
    const elsewhere = execFileSync(process.execPath, ['--input-type=module', '-e', script]);
    assert.equal(elsewhere.toString(), digestPlan(makePlan(7, FULL_SIZE)));
  });

  it('differs between seeds', () => {
    assert.equal(new Set(plans.map(digestPlan)).size, SEEDS);
  });

  it('uses every reference once', () => {
    const references = plans.flatMap(({ clients }) =>
      // The second of two mirrored clients uses the references of the first.
      clients
        .filter(({ name }) => name !== 'mirror-2')
        .flatMap(({ orders }) => orders.map(({ reference }) => reference)),
    );
    assert.equal(new Set(references).size, references.length);
  });

  it('has faults in order of time, within the window', () => {
    for (const { faults } of plans) {
      const times = faults.map(({ atMs }) => atMs);
      assert.deepEqual(
        times,
        times.toSorted((one, other) => one - other),
      );
      assert.ok(times.every((atMs) => atMs > 0 && atMs <= FULL_SIZE.windowMs));
    }
  });

  it('covers everything over many seeds', () => {
    const orders = plans.flatMap(({ clients }) => clients.flatMap((client) => client.orders));
    const kindsOf = (kinds: readonly unknown[]) => new Set(kinds).size;
    assert.equal(kindsOf(plans.flatMap(({ faults }) => faults.map(({ kind }) => kind))), 29);
    assert.equal(kindsOf(orders.flatMap(({ fates }) => fates.map(({ kind }) => kind))), 7);
    assert.equal(kindsOf(orders.map(({ flaw }) => flaw)), 11);
    assert.equal(kindsOf(orders.map(({ unanswered }) => unanswered)), 4);
    const followUps = orders.flatMap(({ afterwards }) => afterwards.map(({ kind }) => kind));
    assert.equal(kindsOf(followUps), 6);
    const special = orders.map(({ phone }) => phone.slice(-3)).filter((end) => end >= '900');
    assert.equal(kindsOf(special), 9);
    const systems = plans.map(({ system }) => system);
    assert.equal(kindsOf(systems.map(({ database, services }) => `${database} ${services}`)), 3);
    assert.equal(kindsOf(systems.map(({ smallDisk }) => smallDisk)), 2);
    const operators = systems.flatMap((system) => system.operators);
    assert.equal(kindsOf(operators.map(({ name }) => name)), 5);
    assert.equal(kindsOf(operators.flatMap(({ mix }) => Object.keys(mix))), 32);
    assert.equal(kindsOf(systems.map(({ referenceMemoryHours }) => referenceMemoryHours)), 2);
    assert.equal(kindsOf(systems.map((system) => system.signedCallbacksAreFinal)), 2);
    const points = systems.flatMap(
      ({ failpoints }) => failpoints?.match(/[a-z-]+(?=:(?:kill|pause))/g) ?? [],
    );
    assert.deepEqual([...new Set(points)].sort(), [...SERVICE_FAILPOINTS].sort());
    assert.equal(kindsOf(orders.map(({ mode }) => mode)), 2);
    assert.equal(kindsOf(systems.map(({ secondAccount }) => secondAccount === null)), 2);
    assert.equal(kindsOf(plans.map(({ calm }) => calm)), 2);
  });

  it('covers everything that a merchant with a policy does', () => {
    const controlled = plans.flatMap(({ controls }) => controls ?? []);
    const kindsOf = (kinds: readonly unknown[]) => new Set(kinds).size;
    assert.ok(controlled.length > SEEDS / 3 && controlled.length < SEEDS);
    assert.equal(kindsOf(controlled.map(({ approvals }) => approvals)), 2);
    assert.equal(kindsOf(controlled.map(({ republishAfterMs }) => republishAfterMs === null)), 2);
    const orders = controlled.flatMap((controls) => controls.orders);
    assert.equal(kindsOf(orders.map(({ maker }) => maker)), 3);
    assert.equal(kindsOf(orders.map(({ sendInMs }) => sendInMs === null)), 2);
    const decisions = orders.flatMap((order) => order.decisions);
    assert.equal(kindsOf(decisions.map(({ act }) => act)), 4);
    // The second owner only publishes.
    assert.equal(kindsOf(decisions.map(({ by }) => by)), Object.keys(CONTROL_PEOPLE).length);
    const own = orders.filter(({ maker, decisions: made }) =>
      made.some(({ by, act }) => maker !== null && by === maker && act === 'approve'),
    );
    assert.ok(own.length > 0, 'no person tries to approve what they prepared');
    const files = controlled.flatMap(({ file }) => file ?? []);
    assert.ok(files.length < controlled.length);
    assert.equal(kindsOf(files.map(({ submits }) => submits)), 3);
    assert.equal(kindsOf(files.map(({ payInMs }) => payInMs === null)), 2);
    assert.equal(kindsOf(files.map(({ cancelAfterMs }) => cancelAfterMs === null)), 2);
    assert.equal(kindsOf(files.flatMap(({ rows }) => rows.map(({ isBroken }) => isBroken))), 2);
  });
});
