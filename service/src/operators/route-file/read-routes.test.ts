import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { scriptRoute } from '../../../test/fake-route.ts';
import type { ConnectorKind } from '../contract/connector-kind.ts';
import { readRoutes } from './read-routes.ts';

const Settings = Type.Object(
  {
    baseUrl: Type.String({ minLength: 1 }),
    user: Type.String({ minLength: 1 }),
    apiKey: Type.String({ minLength: 4, secret: true }),
    sides: Type.Optional(Type.Union([Type.Literal('left'), Type.Literal('right')])),
  },
  { additionalProperties: false },
);

const KIND: ConnectorKind<typeof Settings> = {
  name: 'acme',
  settings: Settings,
  pairs: [{ operator: 'mtn', country: 'zm' }],
  operatorLimits: {
    concurrency: 5,
    submitsPerSecond: 10,
    inquiriesPerSecond: 10,
    namesPerSecond: 1,
  },
  checkSettings: ({ user }) => (user === 'unknown' ? ['user: must be a known user'] : []),
  checkPair: ({ user }, { country }) =>
    user === 'ng' && country !== 'ng' ? ['user: is elsewhere'] : [],
  accountOf: ({ user }) => [user],
  create: () => {
    const [route] = scriptRoute({}).routes.all();
    if (route === undefined) throw new Error('no route');
    return route.connector;
  },
};

/** What `timeScale` was called before. */
const FORMER_KEY = 'pace';
const ENTRY = {
  name: 'mtn-zm',
  connector: 'acme',
  operator: 'mtn',
  country: 'zm',
  settings: { baseUrl: 'https://operator.example', user: 'us', apiKey: '${ACME_KEY}' },
};

const read = (file: unknown, env: Record<string, string> = { ACME_KEY: 'k-secret' }) =>
  readRoutes({ text: JSON.stringify(file), env, kinds: [KIND] });

const problemsOf = (...entries: unknown[]) => read({ routes: entries }).problems;

describe('a route file', () => {
  it('has a time scale, and reports its old name', () => {
    const [config] = read({ routes: [{ ...ENTRY, timeScale: 0.01 }] }).configs;
    assert.equal(config?.timeScale, 0.01);
    assert.deepEqual(problemsOf({ ...ENTRY, [FORMER_KEY]: 0.01 }), [
      `routes.0.${FORMER_KEY}: is named timeScale.`,
    ]);
  });

  it('sets how long references are remembered; 0 means that this is not relied on', () => {
    const memoryMs = (more: object) => read({ routes: [{ ...ENTRY, ...more }] }).configs[0];
    assert.equal(memoryMs({})?.referenceMemoryMs, 12 * 3_600_000);
    assert.equal(memoryMs({ referenceMemoryHours: 0.5 })?.referenceMemoryMs, 1_800_000);
    assert.equal(memoryMs({ referenceMemoryHours: 0 })?.referenceMemoryMs, 0);
    for (const referenceMemoryHours of [-1, 169, '12']) {
      const [problem = ''] = problemsOf({ ...ENTRY, referenceMemoryHours });
      assert.match(problem, /^routes\.0\.referenceMemoryHours: /);
    }
  });

  it('becomes routes, with variables and defaults filled in', () => {
    const { configs, problems } = read(
      {
        callbackBaseUrl: 'https://us.example/',
        routes: [
          {
            ...ENTRY,
            callbackToken: '${TOKEN}',
            bounds: { max: '500' },
            limits: { concurrency: 9 },
          },
        ],
      },
      { ACME_KEY: 'k-secret', TOKEN: 'a-token-of-twenty-chars-and-more' },
    );
    assert.deepEqual(problems, []);
    const [config] = configs;
    assert.equal(config?.settings['apiKey'], 'k-secret');
    assert.equal(
      config?.callbackUrl,
      'https://us.example/callbacks/mtn-zm/a-token-of-twenty-chars-and-more',
    );
    assert.deepEqual(config?.bounds, { minMinor: 1n, maxMinor: 50_000n, decimals: 2 });
    assert.deepEqual(config?.operatorLimits, { ...KIND.operatorLimits, concurrency: 9 });
    assert.equal(config?.priority, 1);
    assert.equal(config?.timeouts.submitMs, 15_000);
  });

  it('names all mistakes at once, each with its place', () => {
    const problems = problemsOf(
      { ...ENTRY, settings: { ...ENTRY.settings, user: undefined, colour: 'red', sides: 'up' } },
      { ...ENTRY, connector: 'unknown' },
      { ...ENTRY, name: 'airtel-zm', operator: 'airtel', bounds: { min: '5', max: '1' } },
      { ...ENTRY, name: 'third', settings: { ...ENTRY.settings, user: 'unknown' } },
      { ...ENTRY, name: 'fourth', settings: { ...ENTRY.settings, user: 'ng' } },
    );
    const slots = problems.map((problem) => problem.slice(0, problem.indexOf(':')));
    assert.deepEqual(slots.toSorted(), [
      'routes.0.settings.colour',
      'routes.0.settings.sides',
      'routes.0.settings.user',
      'routes.1.connector',
      'routes.1.name',
      'routes.2',
      'routes.2.bounds',
      'routes.3.settings.user',
      'routes.4.settings.user',
    ]);
  });

  it('says which variable is not set', () => {
    assert.deepEqual(read({ routes: [ENTRY] }, {}).problems, [
      'routes.0.settings.apiKey: the environment variable ACME_KEY is not set.',
    ]);
  });

  it('accepts no secret in the file itself, except for an emulator on this machine', () => {
    const open = { ...ENTRY.settings, apiKey: 'in the file' };
    assert.match(problemsOf({ ...ENTRY, settings: open }).join(), /apiKey: is a secret/);
    const local = { ...open, baseUrl: 'http://127.0.0.1:4001' };
    assert.deepEqual(problemsOf({ ...ENTRY, settings: local }), []);
  });

  it('never repeats a value, which could be a secret', () => {
    const settings = { ...ENTRY.settings, baseUrl: 7, apiKey: 'hush', user: { deep: 'hush' } };
    const said = problemsOf({ ...ENTRY, settings }).join('\n');
    assert.notEqual(said, '');
    assert.doesNotMatch(said, /hush/);
  });

  it('is refused as a whole if it is not JSON or has another shape', () => {
    assert.deepEqual(readRoutes({ text: '{', env: {}, kinds: [] }).problems, [
      'the file: is not JSON.',
    ]);
    assert.match(read([]).problems.join(), /the file/);
    assert.match(read({ routes: [], more: 1 }).problems.join(), /more/);
  });
});
