import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { TEST_ACTOR } from '../../test/test-actor.ts';
import { createTestMerchant } from '../../test/test-merchant.ts';
import { storePerson } from '../../test/test-person.ts';
import { createTwoCells, type TwoCells } from '../../test/two-cells.ts';
import { moveMerchant } from '../cells/move/move-merchant.ts';
import type { PersonActor } from '../domain/actor.ts';
import { COMPANY_BOOK_ID } from '../domain/company-book.ts';
import { addEntry } from '../lists/add-entry.ts';
import { endEntry } from '../lists/end-entry.ts';
import { addScreener } from '../screening/add-screener.ts';
import { removeScreener } from '../screening/remove-screener.ts';
import { createSealer } from '../webhooks/seal-secret.ts';
import { followCompany } from './follow-company.ts';

const PHONE = '+260971111111';

describe('the lists and screeners of the company', () => {
  let cells: TwoCells;
  let actor: PersonActor;
  const now = () => new Date();
  const newId = () => randomUUID();
  before(async () => {
    cells = await createTwoCells();
    const person = await storePerson(cells.main.database, { staffRoles: ['admin'] });
    actor = { kind: 'person', id: person.id, name: person.name };
  });
  after(() => cells.drop());

  const inMain = () => ({ database: cells.main.database, now, newId });
  const follow = () => followCompany(cells.main.database, cells.second.database);
  const ask = (text: string) => cells.second.database.query({ name: '', text });

  it('count in other cells too, and stay what they were there', async () => {
    assert.equal(await follow(), false);
    await createTestMerchant(cells.second.database);
    const entry = await addEntry(inMain(), {
      actor,
      owner: 'company',
      list: 'deny',
      phone: PHONE,
      reason: 'sanctions',
      expiresAt: null,
    });
    const sealer = createSealer([{ id: 'test', key: randomBytes(32) }]);
    const { screener } = await addScreener(
      { ...inMain(), sealer, randomBytes },
      {
        actor,
        owner: 'company',
        name: 'sanctions',
        url: new URL('https://screen.example.com/'),
        deadlineMs: 1_000,
      },
    );
    assert.equal(await follow(), true);
    assert.equal(await follow(), false);
    const entries = `select id, phone, reason, ended_at from list_entries where book_id = '${COMPANY_BOOK_ID}'`;
    assert.deepEqual(await ask(entries), [
      { id: entry.id, phone: PHONE, reason: 'sanctions', ended_at: null },
    ]);
    const secrets = 'select id, secret_sealed from screeners';
    assert.deepEqual(
      await ask(secrets),
      await cells.main.database.query({ name: '', text: secrets }),
    );

    await endEntry(inMain(), { actor, owner: 'company', id: entry.id, reason: 'a mistake' });
    await removeScreener(inMain(), { actor, owner: 'company', id: screener.id });
    assert.equal(await follow(), true);
    assert.deepEqual(
      await ask(
        `select e.end_reason, s.removed_at is not null as removed from list_entries e, screeners s`,
      ),
      [{ end_reason: 'a mistake', removed: true }],
    );
    // Each of the two times every book was marked, so that payouts are judged anew.
    assert.deepEqual(await ask('select distinct controls_version from books'), [
      { controls_version: 2 },
    ]);
  });

  it('of a main cell that was restored are not taken over again and again', async () => {
    await ask(`
      insert into list_entries (book_id, id, list, phone, reason, created_by, created_by_name, created_at)
      values ('${COMPANY_BOOK_ID}', gen_random_uuid(), 'deny', '${PHONE}', 'forgotten by the main cell',
              '${actor.id}', 'Chanda', now())`);
    assert.equal(await follow(), false);
    assert.deepEqual(await ask('select distinct controls_version from books'), [
      { controls_version: 2 },
    ]);
  });

  it('change also in a cell that a merchant has left', async () => {
    const deny = (phone: string) =>
      addEntry(inMain(), {
        actor,
        owner: 'company',
        list: 'deny',
        phone,
        reason: 'sanctions',
        expiresAt: null,
      });
    const merchant = await createTestMerchant(cells.main.database);
    const moving = { actor: TEST_ACTOR, merchant: merchant.id, reason: null };
    await moveMerchant(cells.deps, { ...moving, to: 'second' });
    const { id } = await deny('+260971111112');
    await endEntry(inMain(), { actor, owner: 'company', id, reason: 'a mistake' });

    const other = await createTestMerchant(cells.second.database);
    await moveMerchant(cells.deps, { ...moving, merchant: other.id, to: 'main' });
    await deny('+260971111113');
    assert.equal(await follow(), true);
  });
});
