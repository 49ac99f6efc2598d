import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { REFUSALS } from '../../../service/src/domain/refusal-codes.ts';
import { EVENT_TYPES } from '../../../service/src/events/event-types.ts';
import { eventSchema } from '../../../service/src/http/schemas/event-schema.ts';
import { type JsonSchema, resolveSchema } from '../json-schema.ts';
import { describeOperations } from './described-operation.ts';
import { EVENT_EXAMPLES, OPERATION_EXAMPLES } from './examples.ts';
import { jsonOf, XLSX_TYPE } from './openapi-document.ts';
import { OWN_CODES } from './own-codes.ts';
import { describeService, serviceOperations } from './render-openapi.ts';

const document = describeService();
const served = describeOperations(serviceOperations());
const forKeys = served.filter(({ area }) => area === 'book');
const forPeople = served.filter(({ area }) => area !== 'book');
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Every reference in the document. */
function references(value: unknown): string[] {
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === '$ref' ? [String(member)] : references(member),
  );
}

/** Every field in a schema, however deep, as `items[].failure.code`. */
function fieldsIn(schema: JsonSchema, path: string): (readonly [string, JsonSchema])[] {
  const { properties = {}, items } = schema;
  return [
    ...(items === undefined ? [] : fieldsIn(items, `${path}[]`)),
    ...Object.entries(properties).flatMap(([name, field]) => [
      [`${path}.${name}`, resolveSchema(field, document.components.schemas)] as const,
      ...fieldsIn(field, `${path}.${name}`),
    ]),
  ];
}

/** The fields of a value that its schema does not know. */
function unknownFields(schema: JsonSchema, value: unknown, path = ''): string[] {
  const { properties, items, additionalProperties } = schema;
  if (Array.isArray(value)) {
    return value.flatMap((item) => unknownFields(items ?? {}, item, `${path}[]`));
  }
  if (!isFields(value) || additionalProperties === true) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const field = properties?.[name];
    return field === undefined
      ? [`${path}.${name}`]
      : unknownFields(field, member, `${path}.${name}`);
  });
}

/** What they list is asked for by an id, and does not repeat it. */
const NAMELESS_ANSWERS = [
  'getTransferHistory',
  'listPostings',
  'replayDeliveries',
  'getNextDates',
  'listScheduleRows',
  'listOccurrences',
  'listPayoutRows',
  'correctPayoutRow',
  'dropPayoutRow',
  'restorePayoutRow',
  'dropProblemRows',
];

function assertFits(schema: TSchema, value: unknown, what: string): void {
  assert.ok(Value.Check(schema, value), `${what}: ${JSON.stringify(Value.Errors(schema, value))}`);
  assert.deepEqual(unknownFields(schema, value), [], what);
}

describe('the OpenAPI document', () => {
  it('describes every operation of the service under its path and method', () => {
    for (const { method, address, operationId } of served) {
      const described = document.paths[address]?.[method.toLowerCase()];
      assert.equal(described?.operationId, operationId);
      const inPath = [...address.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const parameters = described.parameters.filter((parameter) => parameter.in === 'path');
      assert.deepEqual(
        parameters.map(({ name }) => name),
        inPath,
        operationId,
      );
    }
    assert.equal(operations.length, served.length);
    const ids = operations.map(({ operationId }) => operationId);
    assert.deepEqual(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      [],
    );
  });

  it('says of every operation what to show: a key, a session, or nothing', () => {
    const shown = new Map(
      operations.map(({ operationId, security, parameters }) => {
        const book = parameters.find(({ name }) => name === 'x-book');
        const needs = book === undefined ? '' : book.required ? ' book' : ' book?';
        return [operationId, security.map((one) => Object.keys(one)).join(' or ') + needs];
      }),
    );
    const wanted = {
      book: 'apiKey or session book?',
      bookPeople: 'session book',
      public: '',
      own: 'session',
      merchant: 'session',
      staff: 'session',
    };
    for (const { operationId, area } of served) {
      assert.equal(shown.get(operationId), wanted[area], operationId);
    }
    assert.deepEqual(Object.keys(document.components.securitySchemes), ['apiKey', 'session']);
  });

  it('says who may call an operation, from the table of roles', () => {
    const said = (id: string) => operations.find(({ operationId }) => operationId === id);
    const ends = {
      cancelTransfer:
        'A key needs the scope `transfers:write`. A person needs the role `owner` or `maker`, or `developer` in a test book.',
      createKey:
        'A person needs the role `owner` or `developer`. In a live book it needs step-up: the second factor shown again at most 5 minutes ago.',
      removePerson:
        'A person needs the role `owner`. Needs step-up: the second factor shown again at most 5 minutes ago.',
      listStaff: 'A person needs the role `admin`, `treasurer`, `support` or `auditor`.',
      signIn: 'Needs no session.',
      getSession: 'For any person who is signed in.',
    };
    for (const [id, end] of Object.entries(ends)) {
      assert.equal(said(id)?.description.split('\n\n').at(-1), end);
    }
    for (const { operationId, stepUp } of served) {
      const answered = JSON.stringify(said(operationId)?.responses['403'] ?? '');
      if (stepUp !== false) assert.match(answered, /`STEP_UP_REQUIRED`/, operationId);
    }
  });

  it('describes what is no JSON as what it is', () => {
    const contents = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([status]) => Number(status) < 400)
        .filter(([, response]) => jsonOf(response) === undefined)
        .map(([status, response]) => {
          const types = 'content' in response ? Object.keys(response.content ?? {}) : [];
          return [operationId, status, ...types];
        }),
    );
    assert.deepEqual(contents, [
      ['getPayoutFileResults', '200', 'text/csv', XLSX_TYPE],
      ['streamBook', '200', 'text/event-stream'],
      ['beginSingleSignOn', '302'],
      ['finishSingleSignOn', '302'],
      ['streamOperations', '200', 'text/event-stream'],
    ]);
  });

  it('describes every field of a form that brings a file', () => {
    const uploads = served.filter(({ uploadBytesMax }) => uploadBytesMax !== undefined);
    assert.equal(uploads.length, 1);
    for (const { address, method, operationId, schema } of uploads) {
      const { content } = document.paths[address]?.[method.toLowerCase()]?.requestBody ?? {};
      const form = Object(content)['multipart/form-data'] as Readonly<{ schema: JsonSchema }>;
      const query = Object.keys(Object(schema.querystring).properties);
      assert.deepEqual(Object.keys(form.schema.properties ?? {}), ['file', ...query], operationId);
    }
  });

  it('holds named schemas once and refers to nothing that is not there', () => {
    assert.doesNotMatch(JSON.stringify(document), /\$id|~kind/);
    const found = references(document);
    assert.ok(found.length > 100);
    for (const reference of found) {
      const target = reference
        .slice(2)
        .split('/')
        .reduce<unknown>((value, name) => Reflect.get(Object(value), name), document);
      assert.notEqual(target, undefined, reference);
    }
  });

  it('says what every field and every parameter means', () => {
    const schemas = Object.entries(document.components.schemas);
    const inOperations = operations.flatMap(({ operationId, requestBody, responses }) => [
      ...fieldsIn(requestBody?.content['application/json']?.schema ?? {}, `${operationId}.body`),
      ...Object.values(responses).flatMap((response) =>
        fieldsIn(jsonOf(response)?.schema ?? {}, `${operationId}.answer`),
      ),
    ]);
    const inEvents = Object.entries(document.webhooks).flatMap(([type, { post }]) =>
      fieldsIn(post.requestBody.content['application/json'].schema, type),
    );
    const fields = [
      ...schemas,
      ...schemas.flatMap(([name, schema]) => fieldsIn(schema, name)),
      ...inOperations,
      ...inEvents,
    ];
    const parameters = operations.flatMap(({ operationId, parameters: own }) =>
      own.map((parameter) => [`${operationId} ${parameter.name}`, parameter] as const),
    );
    assert.ok(
      fields.length > 200 && parameters.length > 40,
      `${fields.length}, ${parameters.length}`,
    );
    const without = [...fields, ...parameters].filter(
      ([, { description = '' }]) => !/\w.*\.$/.test(description),
    );
    assert.deepEqual(
      without.map(([name]) => name),
      [],
    );
  });

  it('names every refusal with its status, and where an operation has refusals of its own', () => {
    const described = Object.values(document.components.responses).map((one) => one.description);
    const answered = operations.flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, { description }]) =>
        [...description.matchAll(/`(\w+)`/g)].map(([, code]) => `${status} ${code}`),
      ),
    );
    for (const [code, { status, message }] of Object.entries(REFUSALS)) {
      assert.ok(
        described.some((text) => text.includes(`\`${code}\`: ${message}`)),
        code,
      );
      const isOfOperations = [409, 422].includes(status) || code.endsWith('_NOT_FOUND');
      if (isOfOperations && code !== 'NOT_FOUND') {
        assert.ok(answered.includes(`${status} ${code}`), code);
      }
    }
    const ids = served.map(({ operationId }) => operationId);
    assert.deepEqual(
      Object.keys(OWN_CODES).filter((id) => !ids.includes(id)),
      [],
    );
  });

  it('marks a refusal as one for people where no operation for keys has it for a key', () => {
    const withCode = (code: string) =>
      operations.filter(({ responses }) =>
        Object.values(responses).some(({ description }) => description.includes(`\`${code}\``)),
      );
    // Operations for keys and people name them for people.
    const ofSessions = ['STEP_UP_REQUIRED', 'SECOND_FACTOR_REQUIRED', 'BOOK_NOT_FOUND'];
    for (const [code, rule] of Object.entries(REFUSALS)) {
      const callers = withCode(code);
      if (callers.length === 0 || ofSessions.includes(code)) continue;
      const takesKey = callers.some(({ security }) => security.some((one) => 'apiKey' in one));
      assert.equal('isForPeople' in rule, !takesKey && code !== 'NOT_FOUND', code);
    }
  });
});

describe('the examples', () => {
  for (const { operationId, schema } of forKeys.filter(
    ({ answersWith }) => answersWith !== 'file',
  )) {
    it(`of ${operationId} fit its schemas, and the answer repeats what the request says`, () => {
      const example = OPERATION_EXAMPLES[operationId];
      assert.ok(example !== undefined);
      const { params, query, body, status, data } = example;
      assert.deepEqual(
        Object.keys(params ?? {}),
        Object.keys(Object(schema.params).properties ?? {}),
      );
      for (const name of Object.keys(query ?? {})) {
        assert.ok(name in Object(schema.querystring).properties, name);
      }
      assert.equal(body === undefined, schema.body === undefined);
      if (schema.body !== undefined) assertFits(schema.body, body, 'body');
      const answer = schema.data[status];
      assert.ok(answer !== undefined);
      assertFits(answer, data, 'answer');
      const [item] = (Object(data).items ?? [data]) as readonly Fields[];
      const told = JSON.stringify(data);
      for (const id of Object.values(params ?? {})) {
        assert.ok(told.includes(id) || NAMELESS_ANSWERS.includes(operationId), id);
      }
      const sent = { ...query, ...body, transfers: undefined, phone: undefined };
      for (const [name, value] of Object.entries(sent)) {
        if (!(name in Object(item)) || value === undefined) continue;
        // Preflight says more of the operator than its word.
        const told = Object(item?.[name]).given ?? item?.[name];
        assert.deepEqual(told, value, name);
      }
    });
  }

  it('of bodies that people send are made from their schemas', () => {
    for (const { operationId, address, method, schema } of forPeople) {
      if (schema.body === undefined) continue;
      const { requestBody } = document.paths[address]?.[method.toLowerCase()] ?? {};
      assertFits(schema.body, requestBody?.content['application/json']?.example, operationId);
    }
  });

  it('are those of operations for keys', () => {
    const ids = forKeys.map(({ operationId }) => operationId);
    assert.deepEqual(
      Object.keys(OPERATION_EXAMPLES).filter((id) => !ids.includes(id)),
      [],
    );
  });
});

describe('the webhooks', () => {
  it('are the events that the service sends, each with its schema', () => {
    assert.deepEqual(Object.keys(document.webhooks), [...EVENT_TYPES]);
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const { properties = {} } = post.requestBody.content['application/json'].schema;
      assert.equal(properties.type?.const, type);
      assert.match(properties.data?.$ref ?? '', /^#\/components\/schemas\/\w+$/);
      assert.deepEqual(
        post.parameters.map(({ $ref }) => $ref.split('/').at(-1)),
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
      );
    }
  });

  it('say for how long an event is sent again', () => {
    for (const { post } of Object.values(document.webhooks)) {
      const again = post.responses.default?.description ?? '';
      assert.match(again, /: 10 attempts in all, over about 3 days\.$/);
    }
  });

  it('have examples that fit their schemas', () => {
    const examples = EVENT_TYPES.filter((type) => EVENT_EXAMPLES[type] !== undefined);
    assert.equal(examples.length, 5);
    for (const type of examples) assertFits(eventSchema(type), EVENT_EXAMPLES[type], type);
  });
});
