import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { namesBy, namingRoutes } from '../../test/name-operator.ts';
import { TEST_ACTOR } from '../../test/test-actor.ts';
import { createTestBook } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { NameAnswer } from '../operators/contract/connector.ts';
import type { Queryable } from '../postgres/database.ts';
import { createRecipient } from './create-recipient.ts';
import { findRecipient } from './find-recipient.ts';
import { createRecipientResolver } from './recipient-resolver.ts';
import { RESOLVE_BATCH_MAX } from './resolve-pending.ts';

const UNREACHABLE: NameAnswer = { kind: 'unreachable', cause: 'timed out' };
/** All recipients are created before the resolver's clock starts, so they are due at once. */
const CREATED = new Date('2026-11-15T08:00:00.000Z');
const LATER = new Date('2026-11-15T09:00:00.000Z');

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

async function createPending(count: number) {
  const book = await createTestBook(test.database, { mode: 'live' });
  const deps = {
    database: test.database,
    names: namesBy(
      namingRoutes(async () => UNREACHABLE),
      test,
    ),
    newId: randomUUID,
    now: () => CREATED,
  };
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const phone = `+2609774${String(index).padStart(5, '0')}`;
    const account = { phone, operator: 'mtn', country: 'zm' } as const;
    const command = { ...account, suppliedAccountName: null };
    const { recipient } = await createRecipient(deps, { book, actor: TEST_ACTOR, command });
    ids.push(recipient.id);
  }
  return { book, ids };
}

function startResolver(
  answer: () => Promise<NameAnswer>,
  given: Readonly<{ database?: Queryable; warn?: () => void }> = {},
) {
  const { database = test.database, warn = (): void => undefined } = given;
  const names = namesBy(namingRoutes(answer), test);
  const resolver = createRecipientResolver({
    database,
    names,
    logger: { warn },
    now: () => LATER,
  });
  resolver.start();
  return resolver;
}

describe('the recipient resolver', () => {
  it('handles more than one batch without waiting between them', async () => {
    const { book, ids } = await createPending(RESOLVE_BATCH_MAX * 5 + 1);
    const answered = Promise.withResolvers<void>();
    let left = ids.length;
    const startedAt = performance.now();
    const resolver = startResolver(async () => {
      left -= 1;
      if (left === 0) answered.resolve();
      return { kind: 'resolved', accountName: 'Grace Tembo' };
    });
    await answered.promise;
    const elapsedMs = performance.now() - startedAt;
    await resolver.stop();
    // Five waits of half a second, compared with a few milliseconds for each batch.
    assert.ok(elapsedMs < 2_500, 'it waited between full batches');
    for (const id of ids) {
      const recipient = await findRecipient(test.database, { book, id });
      assert.equal(recipient?.accountName, 'Grace Tembo');
    }
  });

  it('stops only after the lookups under way are recorded, and may be stopped twice', async () => {
    const { book, ids } = await createPending(1);
    const started = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<NameAnswer>();
    const resolver = startResolver(() => {
      started.resolve();
      return answer.promise;
    });
    resolver.start();
    await started.promise;
    let stopped = 0;
    const stops = [resolver.stop(), resolver.stop()].map(async (stop) => {
      await stop;
      stopped += 1;
    });
    // A round trip to the database is long enough to notice a stop that waits for nothing.
    await test.database.query({ name: '', text: 'select 1' });
    assert.equal(stopped, 0);
    answer.resolve({ kind: 'resolved', accountName: 'Grace Tembo' });
    await Promise.all(stops);
    const [id = ''] = ids;
    const recipient = await findRecipient(test.database, { book, id });
    assert.equal(recipient?.resolution, 'resolved');
    await resolver.stop();
  });

  it('may be stopped before it started, and then never starts', async () => {
    const names = namesBy(
      namingRoutes(async () => assert.fail('looked up a name')),
      test,
    );
    const database: Queryable = { query: async () => assert.fail('queried') };
    const resolver = createRecipientResolver({
      database,
      names,
      logger: { warn: (_, message) => assert.fail(message) },
      now: () => LATER,
    });
    await resolver.stop();
    resolver.start();
    await resolver.stop();
  });

  it('logs a failure of the database and tries again', async () => {
    const recovered = Promise.withResolvers<void>();
    let queries = 0;
    let warnings = 0;
    const database: Queryable = {
      async query() {
        queries += 1;
        if (queries === 1) throw new Error('the database is away');
        recovered.resolve();
        return [];
      },
    };
    const warn = (): void => {
      warnings += 1;
    };
    const resolver = startResolver(async () => UNREACHABLE, { database, warn });
    await recovered.promise;
    await resolver.stop();
    assert.equal(warnings, 1);
  });
});
