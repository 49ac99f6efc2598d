import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { FIELD_CODES } from '../../../service/src/domain/field-problem.ts';
import { COUNTRIES, OPERATORS } from '../../../service/src/domain/operator.ts';
import { Refusal } from '../../../service/src/domain/refusal.ts';
import { TRANSFER_STATUSES } from '../../../service/src/domain/transfer-state.ts';
import { listAllOperations } from '../../../service/src/http/list-all-operations.ts';
import type { Operation } from '../../../service/src/http/server/api-operation.ts';
import type { MerchantCaller } from '../../../service/src/http/server/caller.ts';
import type { JsonLimits } from '../../../service/src/http/server/json-limits.ts';
import type { PersonInBook } from '../../../service/src/http/server/session-guard.ts';
import { parseStrictJson } from '../../../service/src/http/server/strict-json.ts';
import { toPlainSchema } from '../json-schema.ts';
import { makeExample } from './body-example.ts';
import { OPERATION_EXAMPLES } from './examples.ts';

/** Thrown where an operation begins to work: its request was read and found right. */
class RequestWasRead extends Error {}

/** Stands for all dependencies of an operation. Any call but that of the clock ends the operation. */
const WORK: object = new Proxy(() => undefined, {
  get: (_, name) => (name === 'now' ? () => new Date() : WORK),
  apply: () => {
    throw new RequestWasRead();
  },
});

const ID = '01890a5d-ac96-774b-bcce-000000000001';
const BOOK = {
  id: '01890a5d-ac96-774b-bcce-000000000002',
  merchantId: '01890a5d-ac96-774b-bcce-000000000003',
  mode: 'test',
  feeTerms: { fixedMinor: 0n, basisPoints: 0 },
  isSuspended: false,
  controlsVersion: null,
  cell: 'main',
} as const;

/** A person who may do everything, everywhere. */
const CALLER: PersonInBook & MerchantCaller = {
  id: ID,
  actor: { kind: 'person', id: ID, name: 'Mutale Banda', merchantId: BOOK.merchantId },
  book: BOOK,
  merchantId: BOOK.merchantId,
  session: {
    id: ID,
    person: { id: ID, name: 'Mutale Banda', email: 'mutale@example.test' },
    staffRoles: ['admin'],
    memberships: [
      {
        merchant: { id: BOOK.merchantId, name: 'Mosi Traders' },
        roles: [{ role: 'owner', bookId: null }],
        books: [BOOK],
      },
    ],
    hasSecondFactor: true,
    steppedUpAt: new Date(),
    expiresAt: new Date(),
  },
};

const AMPLE: JsonLimits = {
  depthMax: 8,
  valuesMax: 10_000,
  itemsMax: 10_000,
  keysMax: 100,
  stringLengthMax: 10_000,
};

/** Tells broken fields with 200, among what else it finds: service/test/contract/preflight.test.ts has its rules. */
const ANSWERS_WITH_PROBLEMS = ['preflightTransfer'];

/** Only an authenticator app knows a code that it takes: service/test/contract has its rules. */
const CHECKS_CODE_AT_ONCE = ['setUpTotp'];

type AnyOperation = Operation<typeof CALLER>;

const { book, ...areas } = listAllOperations(WORK);
const forKeys: readonly AnyOperation[] = book.filter(
  ({ operationId }) => !ANSWERS_WITH_PROBLEMS.includes(operationId),
);
const forPeople: readonly AnyOperation[] = Object.values(areas)
  .flat()
  .filter(({ operationId }) => !CHECKS_CODE_AT_ONCE.includes(operationId));
const routes = [...forKeys, ...forPeople];

type Fields = Readonly<Record<string, unknown>>;
type Request = Readonly<{ body?: Fields; query?: Readonly<Record<string, string>> }>;

const ANY_ID = { id: ID, name: 'mtn', token: 'x'.repeat(43), endpointId: ID };

/** A body that the operation takes. */
function exampleBody({ operationId, schema }: AnyOperation): Fields | undefined {
  const example = OPERATION_EXAMPLES[operationId]?.body;
  return (example ?? makeExample(toPlainSchema(schema.body ?? {}))) as Fields | undefined;
}

function exampleQuery({ operationId, schema }: AnyOperation): Readonly<Record<string, string>> {
  const example = OPERATION_EXAMPLES[operationId];
  if (example !== undefined) return example.query ?? {};
  return Object(makeExample(toPlainSchema(schema.querystring ?? {})));
}

/** The fields that the operation finds broken. */
async function brokenFields(route: AnyOperation, { body, query = {} }: Request): Promise<string[]> {
  const made = Object(makeExample(toPlainSchema(route.schema.params ?? {})));
  const { params = { ...ANY_ID, ...made } } = OPERATION_EXAMPLES[route.operationId] ?? {};
  try {
    await route.handle({
      caller: CALLER,
      address: '127.0.0.1',
      isFromThisMachine: () => true,
      isAbandoned: () => false,
      inTurn: (_, work) => work(),
      requestId: 'request-1',
      params,
      query: new URLSearchParams(query),
      header: () => undefined,
      body: body === undefined ? undefined : parseObject(body),
      upload: { bytes: Buffer.alloc(0), fileName: null, fields: new Map(), release: () => {} },
    });
  } catch (error) {
    if (error instanceof RequestWasRead) return [];
    if (error instanceof Refusal && error.detail.fields !== undefined) {
      return error.detail.fields.map(({ field }) => field);
    }
    throw error;
  }
  return [];
}

function parseObject(body: Fields) {
  const value = parseStrictJson(Buffer.from(JSON.stringify(body)), AMPLE);
  assert.ok(value instanceof Map);
  return value;
}

/** Values that tell rules apart: each type, and what lies on and beyond every bound of the schema. */
function probesOf(schema: TSchema): readonly unknown[] {
  const { enum: words = [], minimum, maximum, maxLength, pattern, examples = [] } = Object(schema);
  const { items, maxItems } = Object(schema);
  const [word] = items?.enum ?? [];
  return [
    null,
    true,
    7,
    'a word',
    '',
    [],
    {},
    ['a word'],
    ...words,
    ...words.map((word: unknown) => String(word).toUpperCase()),
    ...examples,
    ...(minimum === undefined ? [] : [minimum, minimum / 2, -minimum, 0]),
    ...(maximum === undefined ? [] : [maximum, maximum + 1]),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength), 'x'.repeat(maxLength + 1)]),
    ...(maxLength === undefined ? [] : ['😀'.repeat(maxLength), '😀'.repeat(maxLength + 1)]),
    ...(word === undefined ? [] : [[word], [word, word]]),
    ...(maxItems === undefined ? [] : [Array.from({ length: maxItems + 1 }, () => ({}))]),
    ...(pattern === undefined ? [] : ['a.b_C-9', 'a b', 'é']),
  ];
}

/** What a value must be to be a phone, a public address or a credential is more than a schema can say. */
const STRICTER_THAN_SCHEMA = [
  'phone',
  'url',
  'cursor',
  'email',
  'password',
  'addresses',
  'credential',
  'receipt',
  'returnTo',
  'day',
];
/** What belongs to an account or an invitation is compared with it, and only then refused. */
const COMPARED_LATER = ['password', 'current', 'totpSecret', 'code'];
/** A list whose items are answered one by one, so that a broken one does not break the list. */
const DECIDED_ONE_BY_ONE = ['transfers'];

/** Everything that is wrong in it is SIGN_IN_FAILED. */
const ONE_ANSWER = 'signIn';

function textFields(schema: TSchema | undefined): readonly string[] {
  const properties = Object.entries<TSchema>(Object(schema).properties ?? {});
  return properties
    .filter(([, property]) => [Object(property).type].flat().includes('string'))
    .map(([name]) => name);
}

describe('what a request schema says is what the operation takes', () => {
  for (const route of routes.filter(({ schema }) => schema.body !== undefined)) {
    it(`in the body of ${route.operationId}`, async () => {
      const { body: schema } = route.schema;
      const example = exampleBody(route);
      assert.ok(schema !== undefined && example !== undefined);
      assert.deepEqual(await brokenFields(route, { body: example }), []);
      assert.deepEqual(await brokenFields(route, { body: { ...example, extra: 1 } }), ['extra']);
      assert.ok(!Value.Check(schema, { ...example, extra: 1 }));
      const { properties, required = [] } = Object(schema);
      for (const [field, property] of Object.entries<TSchema>(properties)) {
        const { [field]: _, ...without } = example;
        const isRequired = required.includes(field);
        const missing = (await brokenFields(route, { body: without })).includes(field);
        assert.equal(missing, isRequired, `${field} is left out`);
        for (const probe of probesOf(property)) {
          const isAllowed = Value.Check(
            DECIDED_ONE_BY_ONE.includes(field) ? { ...property, items: {} } : property,
            probe,
          );
          const body: Fields = { ...example, [field]: probe };
          const broken = await brokenFields(route, { body });
          // Of an object, and of an item of a list, the broken member is named.
          const members = Object.keys(Object(property).properties ?? {});
          const isTaken: boolean = !broken.some(
            (name) => [field, ...members].includes(name) || name.startsWith(`${field}.`),
          );
          if (isAllowed && STRICTER_THAN_SCHEMA.includes(field)) continue;
          if (isTaken && typeof probe === 'string' && COMPARED_LATER.includes(field)) continue;
          assert.equal(isTaken, isAllowed, `${field}: ${JSON.stringify(probe)?.slice(0, 120)}`);
        }
      }
    });
  }

  for (const route of routes.filter(({ method }) => method === 'GET')) {
    it(`in the query of ${route.operationId}`, async () => {
      const example = exampleQuery(route);
      assert.deepEqual(await brokenFields(route, { query: example }), []);
      const { querystring } = route.schema;
      const extra = await brokenFields(route, { query: { ...example, extra: '1' } });
      if (querystring === undefined) return;
      assert.deepEqual(extra, ['extra']);
      const { properties } = Object(querystring);
      for (const [field, property] of Object.entries<TSchema>(properties)) {
        const { type } = Object(property);
        for (const probe of probesOf(property)) {
          if (typeof probe !== 'string' && typeof probe !== 'number') continue;
          const text = String(probe);
          const isAllowed = Value.Check(
            property,
            type === 'integer' || type === 'number' ? Number(text) : text,
          );
          const query = { ...example, [field]: text };
          const isTaken = !(await brokenFields(route, { query })).includes(field);
          if (isAllowed && STRICTER_THAN_SCHEMA.includes(field)) continue;
          assert.equal(isTaken, isAllowed, `${field}: ${text.slice(0, 120)}`);
        }
      }
    });
  }

  // PostgreSQL takes no NUL in a text, so that one that got through would be answered with a 500.
  for (const route of routes.filter(({ operationId }) => operationId !== ONE_ANSWER)) {
    it(`and no text of ${route.operationId} may have control characters`, async () => {
      const inBody = textFields(route.schema.body);
      const inQuery = textFields(route.schema.querystring);
      for (const field of inBody.filter((name) => !COMPARED_LATER.includes(name))) {
        const body: Fields = { ...exampleBody(route), [field]: 'a\u0000b' };
        assert.ok((await brokenFields(route, { body })).includes(field), field);
      }
      for (const field of inQuery) {
        const query = { ...exampleQuery(route), [field]: 'a\u0000b' };
        assert.ok((await brokenFields(route, { query })).includes(field), field);
      }
    });
  }

  it('and the sentence about a broken field names the words that it takes', () => {
    for (const [code, words] of [
      ['INVALID_OPERATOR', OPERATORS],
      ['INVALID_COUNTRY', COUNTRIES],
      ['INVALID_STATUS', TRANSFER_STATUSES],
    ] as const) {
      assert.equal(FIELD_CODES[code], `One of ${words.join(', ')}.`);
    }
  });
});
