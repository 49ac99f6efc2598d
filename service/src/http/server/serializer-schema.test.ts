import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { routeOf, startServer, VALID_KEY } from '../../../test/http-server.ts';
import { listAllOperations } from '../list-all-operations.ts';
import { compileSerializer } from './compile-serializer.ts';
import { serializerSchema } from './serializer-schema.ts';

describe('the schema for the serialiser', () => {
  it('marks ids and words from a list at any depth, and no other text', () => {
    const schema = Type.Object({
      id: Type.String({ format: 'uuid' }),
      type: Type.Unsafe<string>({ type: 'string', enum: ['a', 'b'] }),
      text: Type.String(),
      format: Type.String({ format: 'uri' }),
      maybe: Type.Unsafe<string | null>({ type: ['string', 'null'], enum: ['a', null] }),
      items: Type.Array(Type.Object({ id: Type.String({ format: 'uuid' }), name: Type.String() })),
    });
    assert.deepEqual(JSON.parse(JSON.stringify(serializerSchema(schema))), {
      type: 'object',
      required: ['id', 'type', 'text', 'format', 'maybe', 'items'],
      properties: {
        id: { type: 'string', format: 'unsafe' },
        type: { type: 'string', enum: ['a', 'b'], format: 'unsafe' },
        text: { type: 'string' },
        format: { type: 'string', format: 'uri' },
        maybe: { type: ['string', 'null'], enum: ['a', null] },
        items: {
          type: 'array',
          items: {
            type: 'object',
            required: ['id', 'name'],
            properties: { id: { type: 'string', format: 'unsafe' }, name: { type: 'string' } },
          },
        },
      },
    });
  });

  it('does not change the schema that the documentation shows', () => {
    const schema = { type: 'string', format: 'uuid' };
    serializerSchema(schema);
    assert.equal(schema.format, 'uuid');
  });

  it('is one that every operation can write its answers by', () => {
    // Stands for all that operations work with: here only their schemas are read.
    const unused: object = new Proxy({}, { get: () => unused });
    const operations = Object.values(listAllOperations(unused)).flat();
    assert.ok(operations.length > 100);
    for (const { operationId, schema } of operations) {
      for (const status of Object.keys(schema.data)) {
        const compile = () => compileSerializer({ operationId, schema }, Number(status));
        assert.doesNotThrow(compile, `${operationId} ${status}`);
      }
    }
  });

  it('lets a schema with a name stand in an answer twice', async () => {
    const Thing = Type.Object({ id: Type.String() }, { $id: 'Thing' });
    const data = { items: [{ id: '1' }], first: { id: '1' } };
    const route = routeOf(
      { schema: { data: { 200: Type.Object({ items: Type.Array(Thing), first: Thing }) } } },
      async () => ({ status: 200, message: 'Listed', data }),
    );
    const served = await startServer([route, { ...route, path: '/others' }]);
    const headers = { 'x-api-key': VALID_KEY };
    const reply = await served.send({ path: '/api/v1/payments/things', headers });
    assert.deepEqual(JSON.parse(reply.text).data, data);
    await served.stop();
  });
});
