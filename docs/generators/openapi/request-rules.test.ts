import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { COUNTRIES, OPERATORS } from '../../../service/src/domain/operator.ts';
import { FIELD_CODES, Refusal } from '../../../service/src/domain/refusal.ts';
import { TRANSFER_STATUSES } from '../../../service/src/domain/transfer-state.ts';
import { type ApiDeps, listApiOperations } from '../../../service/src/http/list-api-operations.ts';
import type { ApiOperation } from '../../../service/src/http/server/api-operation.ts';
import type { BookCaller } from '../../../service/src/http/server/caller.ts';
import type { JsonLimits } from '../../../service/src/http/server/json-limits.ts';
import { parseStrictJson } from '../../../service/src/http/server/strict-json.ts';
import { OPERATION_EXAMPLES } from './examples.ts';

/** Thrown where an operation begins to work: its request was read and found right. */
class RequestWasRead extends Error {}

/** Stands for everything that an operation works with; whatever is called in it ends the operation. */
const WORK: object = new Proxy(() => undefined, {
  get: () => WORK,
  apply: () => {
    throw new RequestWasRead();
  },
});

const CALLER: BookCaller = {
  id: '01890a5d-ac96-774b-bcce-000000000001',
  actor: { kind: 'key', id: '01890a5d-ac96-774b-bcce-000000000001' },
  book: {
    id: '01890a5d-ac96-774b-bcce-000000000002',
    merchantId: '01890a5d-ac96-774b-bcce-000000000003',
    mode: 'test',
    feeTerms: { fixedMinor: 0n, basisPoints: 0 },
    isSuspended: false,
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

const routes = listApiOperations(WORK as ApiDeps).book.filter(
  ({ operationId }) => !ANSWERS_WITH_PROBLEMS.includes(operationId),
);

type Fields = Readonly<Record<string, unknown>>;
type Request = Readonly<{ body?: Fields; query?: Readonly<Record<string, string>> }>;

/** The fields that the operation finds broken. */
async function brokenFields(route: ApiOperation, { body, query = {} }: Request): Promise<string[]> {
  const { params = {} } = OPERATION_EXAMPLES[route.operationId] ?? {};
  try {
    await route.handle({
      caller: CALLER,
      address: '127.0.0.1',
      isFromThisMachine: () => true,
      requestId: 'request-1',
      params,
      query: new URLSearchParams(query),
      header: () => undefined,
      body: body === undefined ? undefined : parseObject(body),
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

/** What a text must be to be a phone or a public address is more than a schema can say. */
const STRICTER_THAN_SCHEMA = ['phone', 'url', 'cursor'];
/** A list whose items are answered one by one, so that a broken one does not break the list. */
const DECIDED_ONE_BY_ONE = ['transfers'];

describe('what a request schema says is what the operation takes', () => {
  for (const route of routes.filter(({ schema }) => schema.body !== undefined)) {
    it(`in the body of ${route.operationId}`, async () => {
      const { body: schema } = route.schema;
      const example = OPERATION_EXAMPLES[route.operationId]?.body as Fields | undefined;
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
          const isTaken: boolean = !(await brokenFields(route, { body })).includes(field);
          if (isAllowed && typeof probe === 'string' && STRICTER_THAN_SCHEMA.includes(field))
            continue;
          assert.equal(isTaken, isAllowed, `${field}: ${JSON.stringify(probe)?.slice(0, 120)}`);
        }
      }
    });
  }

  for (const route of routes.filter(({ method }) => method === 'GET')) {
    it(`in the query of ${route.operationId}`, async () => {
      const { query: example = {} } = OPERATION_EXAMPLES[route.operationId] ?? {};
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
