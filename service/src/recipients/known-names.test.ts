import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import { createNamingRoutes } from '../../test/name-operator.ts';
import type { Account, NameAnswer } from '../operators/contract/connector.ts';
import type { Route } from '../operators/routes/route.ts';
import {
  createKnownNames,
  type KnownNames,
  NAMES_KNOWN_MAX,
  NO_ACCOUNT_AGE_MAX_MS,
  RESOLVED_AGE_MAX_MS,
} from './known-names.ts';

const GRACE: NameAnswer = { kind: 'resolved', accountName: 'Grace Tembo' };
const NO_ACCOUNT: NameAnswer = { kind: 'noAccount' };
const UNREACHABLE: NameAnswer = { kind: 'unreachable', cause: 'timed out' };

let nowMs: number;
let known: KnownNames;
let route: Route;
let other: Route;
beforeEach(() => {
  nowMs = 0;
  known = createKnownNames({ monotonicMs: () => nowMs });
  [route, other] = listRoutes();
});

function listRoutes(): [Route, Route] {
  const answer = async () => GRACE;
  const routes = createNamingRoutes([
    { name: 'one', answer },
    { name: 'two', answer },
  ]);
  const [one, two] = routes.list({ mode: 'live', operator: 'mtn', country: 'zm' });
  assert.ok(one !== undefined && two !== undefined);
  return [one, two];
}

function account(index = 0): Account {
  const phone = `+2609774${String(index).padStart(5, '0')}`;
  return { phone, operator: 'mtn', country: 'zm' };
}

async function learn(answer: NameAnswer, about = { route, account: account() }): Promise<void> {
  await known.ask(about, async () => answer)?.answer;
}

it('remembers a name for ten minutes, and "no such account" for one', async () => {
  for (const [answer, ageMaxMs] of [
    [GRACE, RESOLVED_AGE_MAX_MS],
    [NO_ACCOUNT, NO_ACCOUNT_AGE_MAX_MS],
  ] as const) {
    await learn(answer);
    nowMs += ageMaxMs - 1;
    assert.deepEqual(known.find({ route, account: account() }), answer);
    // Reading it does not make it younger.
    nowMs += 1;
    assert.equal(known.find({ route, account: account() }), undefined);
  }
  assert.deepEqual([RESOLVED_AGE_MAX_MS, NO_ACCOUNT_AGE_MAX_MS], [600_000, 60_000]);
});

it('keeps the later answer, with its own age', async () => {
  await learn(GRACE);
  await learn(NO_ACCOUNT);
  assert.deepEqual(known.find({ route, account: account() }), NO_ACCOUNT);
  nowMs += NO_ACCOUNT_AGE_MAX_MS;
  assert.equal(known.find({ route, account: account() }), undefined);
});

it('does not remember that an operator could not be reached', async () => {
  await learn(UNREACHABLE);
  assert.equal(known.find({ route, account: account() }), undefined);
});

it('distinguishes routes, numbers, operators and countries', async () => {
  await learn(GRACE);
  assert.equal(known.find({ route: other, account: account() }), undefined);
  assert.equal(known.find({ route, account: account(1) }), undefined);
  assert.equal(known.find({ route, account: { ...account(), operator: 'airtel' } }), undefined);
  assert.equal(known.find({ route, account: { ...account(), country: 'ng' } }), undefined);
});

it('forgets the least recently used when there are too many', async () => {
  for (let index = 0; index < NAMES_KNOWN_MAX; index += 1) {
    await learn(GRACE, { route, account: account(index) });
  }
  assert.ok(known.find({ route, account: account(0) }));
  await learn(GRACE, { route, account: account(NAMES_KNOWN_MAX) });
  assert.equal(known.find({ route, account: account(1) }), undefined);
  assert.ok(known.find({ route, account: account(0) }));
  assert.ok(known.find({ route, account: account(2) }));
  assert.ok(known.find({ route, account: account(NAMES_KNOWN_MAX) }));
});

it('shares a lookup under way, and sends the next one again', async () => {
  const about = { route, account: account() };
  const first = Promise.withResolvers<NameAnswer>();
  const sent = known.ask(about, () => first.promise);
  const joined = known.ask(about, () => assert.fail('sent twice'));
  assert.deepEqual([sent?.isShared, joined?.isShared], [false, true]);
  assert.equal(known.ask({ ...about, route: other }, async () => GRACE)?.isShared, false);
  first.resolve(UNREACHABLE);
  assert.deepEqual(await joined?.answer, UNREACHABLE);
  assert.equal(known.ask(about, async () => GRACE)?.isShared, false);
});

it('does not share a lookup that ended in an error', async () => {
  const about = { route, account: account() };
  const sent = known.ask(about, () => Promise.reject(new Error('a bug')));
  await assert.rejects(sent?.answer ?? Promise.resolve(), { message: 'a bug' });
  assert.equal(known.find(about), undefined);
  assert.equal(known.ask(about, async () => GRACE)?.isShared, false);
});

it('keeps nothing of a lookup that may not be sent', () => {
  const about = { route, account: account() };
  assert.equal(
    known.ask(about, () => undefined),
    undefined,
  );
  assert.equal(known.ask(about, async () => GRACE)?.isShared, false);
});

it('does not reuse an answer of the connector from before a reload', async () => {
  const about = { route, account: account() };
  await learn(GRACE);
  const slow = Promise.withResolvers<NameAnswer>();
  const before = known.ask(about, () => slow.promise);
  const reloaded = { ...route, connector: { ...route.connector } };
  assert.equal(known.find({ ...about, route: reloaded }), undefined);
  const after = known.ask({ ...about, route: reloaded }, async () => NO_ACCOUNT);
  assert.equal(after?.isShared, false);
  await after?.answer;
  assert.deepEqual(known.find({ ...about, route: reloaded }), NO_ACCOUNT);
  slow.resolve(GRACE);
  await before?.answer;
  assert.equal(known.find({ ...about, route: reloaded }), undefined);
});
