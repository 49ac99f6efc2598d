import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { routeOf, startServer, VALID_KEY } from '../../../test/http-server.ts';
import { REFUSALS } from '../../domain/refusal.ts';
import { buildOpenApi } from './openapi.ts';

const Thing = Type.Object({ id: Type.String() }, { $id: 'Thing' });
const never = () => Promise.reject(new Error('not called'));
const list = routeOf(
  {
    operationId: 'listThings',
    schema: {
      querystring: Type.Object({
        limit: Type.Optional(Type.Integer({ minimum: 1, description: 'How many.' })),
      }),
      data: { 200: Type.Object({ items: Type.Array(Thing), first: Thing }) },
    },
  },
  async () => ({
    status: 200,
    message: 'Listed',
    data: { items: [{ id: '1' }], first: { id: '1' } },
  }),
);
const make = routeOf(
  {
    method: 'POST',
    path: '/things/:id/parts',
    operationId: 'makePart',
    scope: 'transfers:write',
    rateLimit: { perSecond: 2, burst: 5 },
    schema: {
      params: Type.Object({ id: Type.String() }),
      headers: Type.Object({ 'idempotency-key': Type.Optional(Type.String()) }),
      body: Type.Object({ name: Type.String() }),
      data: { 201: Thing, 200: Thing },
    },
  },
  never,
);
const document = buildOpenApi([list, make]);

/** Every reference in the document. */
function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === '$ref' ? [String(member)] : references(member),
  );
}

describe('the OpenAPI document', () => {
  it('describes each operation under its path and method', () => {
    assert.deepEqual(Object.keys(document.paths), [
      '/api/v1/payments/things',
      '/api/v1/payments/things/{id}/parts',
    ]);
    const operation = document.paths['/api/v1/payments/things/{id}/parts']?.post;
    assert.equal(operation?.operationId, 'makePart');
    assert.match(operation?.description ?? '', /`transfers:write`\. Limited to 2 a second/);
    assert.deepEqual(
      operation?.parameters.map(({ name, in: place, required }) => [name, place, required]),
      [
        ['id', 'path', true],
        ['Idempotency-Key', 'header', false],
      ],
    );
    assert.deepEqual(
      Object.keys(operation?.responses ?? {}).map(Number),
      [200, 201, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503],
    );
    const [limit] = document.paths['/api/v1/payments/things']?.get?.parameters ?? [];
    assert.deepEqual(limit, {
      name: 'limit',
      in: 'query',
      required: false,
      description: 'How many.',
      schema: { type: 'integer', minimum: 1 },
    });
  });

  it('holds named schemas once and refers to nothing that is not there', () => {
    assert.deepEqual(Object.keys(document.components.schemas), ['Failure', 'Thing']);
    assert.doesNotMatch(JSON.stringify(document), /\$id|~kind/);
    for (const reference of references(document)) {
      const target = reference
        .slice(2)
        .split('/')
        .reduce<unknown>((value, name) => Reflect.get(Object(value), name), document);
      assert.notEqual(target, undefined, reference);
    }
  });

  it('names every refusal in the answer with its status', () => {
    const descriptions = Object.values(document.components.responses).map((r) => r.description);
    for (const code of Object.keys(REFUSALS)) {
      assert.ok(
        descriptions.some((text) => text.includes(`\`${code}\``)),
        code,
      );
    }
  });

  it('lets named schemas serialise, also twice in one answer', async () => {
    const served = await startServer([list, make]);
    const headers = { 'x-api-key': VALID_KEY };
    const reply = await served.send({ path: '/api/v1/payments/things', headers });
    assert.deepEqual(JSON.parse(reply.text).data, { items: [{ id: '1' }], first: { id: '1' } });
    await served.stop();
  });
});
