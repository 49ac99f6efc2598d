import assert from 'node:assert/strict';
import { it } from 'node:test';
import { migrateBefore, migrateOn } from '../../test/migrate-before.ts';
import { createEmptyDatabase } from '../../test/test-database.ts';

const BOOKS = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`);

it('an upgrade keeps with each book how long its policy lets approvals wait, also of a merchant that has moved', async () => {
  const test = await createEmptyDatabase();
  const ask = (text: string) => test.database.query({ name: '', text });
  try {
    await migrateBefore(test.database, 'approval-expiry');
    for (const book of BOOKS) {
      await ask(
        `insert into merchants (id, name, created_at) values ('${book}', '${book}', now())`,
      );
      await ask(`insert into books (id, merchant_id, mode, created_at)
                 values ('${book}', '${book}', 'test', now())`);
    }
    const policies = [
      [BOOKS[0], 1, '{"approvalExpiresAfter": "P1D", "rules": []}'],
      [BOOKS[0], 2, '{"approvalExpiresAfter": "P2DT12H", "rules": []}'],
      [BOOKS[1], 1, '{"rules": []}'],
    ];
    for (const [book, version, document] of policies) {
      await ask(`insert into policies (book_id, version, document, content_hash, published_by, published_by_name, published_at)
                 values ('${book}', ${version}, '${document}', repeat('0', 64), gen_random_uuid(), 'Chanda', now())`);
    }
    await ask(`update merchants set state = 'moved' where id = '${BOOKS[0]}'`);
    await migrateOn(test.database);
    assert.deepEqual(await ask('select approval_expires_after_ms as ms from books order by id'), [
      { ms: 60n * 3_600_000n },
      { ms: null },
      { ms: null },
    ]);
  } finally {
    await test.drop();
  }
});
