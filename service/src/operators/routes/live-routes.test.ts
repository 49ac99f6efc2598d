import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { scriptRoute } from '../../../test/fake-route.ts';
import { pollUntil } from '../../../test/poll.ts';
import type { Connector, OperatorConditions } from '../contract/connector.ts';
import type { ConnectorDeps, ConnectorKind } from '../contract/connector-kind.ts';
import { NOTHING_KEPT } from '../credentials/credential-store.ts';
import type { RouteConfig } from '../route-file/read-routes.ts';
import { preferOpen } from './choose-route.ts';
import { createLiveRoutes } from './live-routes.ts';
import { payoutsPerSecond } from './payouts-per-second.ts';

const PRESSURE = {
  concurrency: 5,
  submitsPerSecond: 10,
  inquiriesPerSecond: 10,
  namesPerSecond: 1,
};

function createKind(more: Partial<Connector> = {}) {
  const closed: string[] = [];
  const kind: ConnectorKind = {
    name: 'acme',
    settings: Type.Object({}),
    pairs: null,
    operatorLimits: PRESSURE,
    accountOf: (settings) => [JSON.stringify(settings)],
    create: (settings) => {
      const [route] = scriptRoute({}).routes.all();
      if (route === undefined) throw new Error('no route');
      const close = () => void closed.push(JSON.stringify(settings));
      return { ...route.connector, close, ...more };
    },
  };
  return { kind, closed };
}

function configure(kind: ConnectorKind, given: Partial<RouteConfig> = {}): RouteConfig {
  return {
    name: 'first',
    kind,
    operator: 'mtn',
    country: 'zm',
    priority: 1,
    bounds: { minMinor: 1n, maxMinor: 1_000n, decimals: 2 },
    float: { readEveryMs: 60_000, low: { belowMinor: null, hours: 4 } },
    operatorLimits: PRESSURE,
    timeouts: { tokenMs: 1, submitMs: 1, inquireMs: 1, nameMs: 1, balanceMs: 1 },
    referenceMemoryMs: 12 * 60 * 60_000,
    callbackToken: 'token',
    callbackUrl: null,
    timeScale: 1,
    settings: { version: 1 },
    ...given,
  };
}

const create = (
  configs: readonly RouteConfig[],
  isClosed: (route: string) => boolean = () => false,
) =>
  createLiveRoutes(
    {
      now: () => new Date(),
      monotonicMs: () => 0,
      wait: async () => undefined,
      random: Math.random,
      newUuid: () => 'id',
      keepCredentials: () => NOTHING_KEPT,
      logger: { warn: () => undefined },
      onConditions: () => undefined,
      isHeld: () => false,
      isClosed,
    },
    configs,
  );

const MTN_ZM = { mode: 'live', operator: 'mtn', country: 'zm' } as const;

describe('live routes', () => {
  it('pass their reference memory to the connector, in their time scale', () => {
    const { kind } = createKind();
    const received: ConnectorDeps[] = [];
    const listening: ConnectorKind = {
      ...kind,
      create(settings, deps) {
        received.push(deps);
        return kind.create(settings, deps);
      },
    };
    create([configure(listening), configure(listening, { name: 'fast', timeScale: 0.01 })]);
    assert.deepEqual(
      received.map(({ referenceMemoryMs, timeScale }) => [referenceMemoryMs, timeScale]),
      [
        [43_200_000, 1],
        [432_000, 0.01],
      ],
    );
  });

  it('may share an address for callbacks with the others of their connector, as fast as the file now says', () => {
    const { kind } = createKind();
    const other = { ...kind, name: 'other' };
    const perSecond = (submitsPerSecond: number) => ({
      operatorLimits: { ...PRESSURE, submitsPerSecond },
    });
    const configs = (submitsPerSecond: number) => [
      configure(kind, { name: 'first', ...perSecond(submitsPerSecond) }),
      configure(kind, { name: 'second', ...perSecond(500) }),
      configure(other, { name: 'third', ...perSecond(7) }),
    ];
    const routes = create(configs(1_000));
    assert.equal(payoutsPerSecond(routes, 'first'), 1_500);
    assert.equal(payoutsPerSecond(routes, 'third'), 7);
    routes.reload(configs(20));
    assert.equal(payoutsPerSecond(routes, 'first'), 520);
  });

  it('send nothing while a person has them closed; other routes take over, and inquiries go on', () => {
    const { kind } = createKind();
    const closed = new Set(['first']);
    const routes = create(
      [configure(kind, { name: 'first' }), configure(kind, { name: 'second', priority: 2 })],
      (name) => closed.has(name),
    );
    const [first] = routes.list(MTN_ZM);
    assert.ok(first !== undefined);
    assert.equal(preferOpen(routes.list(MTN_ZM))?.name, 'second');
    assert.deepEqual(
      [first.limiter.isShut(), first.limiter.isHeld(), first.health()],
      [true, false, 'down'],
    );
    assert.equal(first.limiter.reserve('book'), false);
    assert.equal(first.limiter.submitsFree(), 0);
    assert.ok(first.limiter.inquiriesFree() > 0);
    closed.clear();
    assert.equal(preferOpen(routes.list(MTN_ZM))?.name, 'first');
    assert.equal(first.limiter.reserve('book'), true);
  });

  it('are listed by pair, the lowest priority number first', () => {
    const { kind } = createKind();
    const routes = create([
      configure(kind, { name: 'second', priority: 2 }),
      configure(kind, { name: 'first', priority: 1 }),
      configure(kind, { name: 'other', operator: 'airtel' }),
    ]);
    assert.deepEqual(
      routes.list(MTN_ZM).map(({ name }) => name),
      ['first', 'second'],
    );
    const [first] = routes.list(MTN_ZM);
    assert.ok(first !== undefined);
    assert.deepEqual(
      routes.beside(first).map(({ name }) => name),
      ['second'],
    );
  });

  it('keep the slots of submissions under way across a reload, and use the new settings', () => {
    const { kind, closed } = createKind();
    const routes = create([configure(kind)]);
    const route = routes.named('first');
    route?.limiter.holdClaimed('book', 'main').use();
    const before = route?.connector;
    assert.deepEqual(
      routes.reload([
        configure(kind, {
          settings: { version: 2 },
          operatorLimits: { ...PRESSURE, concurrency: 1 },
        }),
      ]),
      [],
    );
    assert.equal(routes.named('first'), route);
    assert.notEqual(route?.connector, before);
    assert.deepEqual(closed, ['{"version":1}']);
    assert.equal(route?.limiter.submitsFree(), 0, 'the only slot is taken');
    route?.limiter.release('book');
    assert.equal(route?.limiter.submitsFree(), 1);
  });

  it("distinguish accounts by the connector's accountOf", () => {
    const { kind } = createKind();
    const routes = create([configure(kind)]);
    const before = routes.named('first')?.account;
    routes.reload([configure(kind, { priority: 7 })]);
    assert.equal(routes.named('first')?.account, before);
    routes.reload([configure(kind, { settings: { version: 2 } })]);
    assert.notEqual(routes.named('first')?.account, before);
    assert.doesNotMatch(routes.named('first')?.account ?? '', /version/);
  });

  it('do not create a new connector if nothing changed', () => {
    const { kind, closed } = createKind();
    const routes = create([configure(kind)]);
    const before = routes.named('first')?.connector;
    routes.reload([configure(kind)]);
    assert.equal(routes.named('first')?.connector, before);
    assert.deepEqual(closed, []);
  });

  it('that are removed accept nothing new, and still make inquiries', () => {
    const { kind } = createKind();
    const routes = create([configure(kind), configure(kind, { name: 'second', priority: 2 })]);
    routes.reload([configure(kind, { name: 'second', priority: 2 })]);
    const retired = routes.named('first');
    assert.equal(retired?.limiter.reserve('book'), false);
    assert.equal(retired?.limiter.isShut(), true);
    assert.ok((retired?.limiter.inquiriesFree() ?? 0) > 0);
    assert.deepEqual(
      routes.list(MTN_ZM).map(({ name }) => name),
      ['second'],
    );
    routes.reload([configure(kind)]);
    assert.equal(retired?.limiter.reserve('book'), true, 'and come back');
  });

  it('never move to another operator under the same name', () => {
    const { kind } = createKind();
    const routes = create([configure(kind)]);
    const problems = routes.reload([configure(kind, { operator: 'airtel' })]);
    assert.equal(problems.length, 1);
    assert.equal(routes.list(MTN_ZM).length, 1);
  });

  it('close and narrow their bounds if the operator says so', async () => {
    let conditions: OperatorConditions = { kind: 'unreachable', cause: 'down' };
    const { kind } = createKind({ readConditions: async () => conditions });
    const routes = create([configure(kind, { timeScale: 0.0001 })]);
    routes.start();
    const route = routes.named('first');
    assert.equal(route?.health(), 'unknown');
    const bounds = { minMinor: 10n, maxMinor: 5_000n, decimals: 0 };
    conditions = { kind: 'known', open: false, bounds };
    await pollUntil('closing', async () => route?.health() === 'down');
    assert.equal(route?.limiter.reserve('book'), false);
    assert.deepEqual(route?.bounds(), { minMinor: 10n, maxMinor: 1_000n, decimals: 0 });
    conditions = { kind: 'known', open: true, bounds: null };
    await pollUntil('opening', async () => !(route?.limiter.isShut() ?? true));
    assert.equal(route?.bounds().minMinor, 1n);
    routes.close();
  });
});
