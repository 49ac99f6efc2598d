import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import { volume } from '../../../scripts/test-volume.ts';
import { pollUntil } from '../poll.ts';
import { type RunningService, startService } from '../running-service.ts';
import { createTestDatabase, type TestDatabase } from '../test-database.ts';
import { createTestMerchant, type TestMerchant } from '../test-merchant.ts';

const BACKLOG = volume({ usual: 10_000, full: 50_000 });
/** Other tests run beside this one in the usual volume. Behind the whole backlog it would take six seconds. */
const DELAY_MAX_MS = volume({ usual: 2_000, full: 1_000 });
const SINGLES = 10;
/** The normal time to an answer in the sandbox. */
const SANDBOX_DELAY_MS = 50;

let test: TestDatabase;
let big: TestMerchant;
let small: TestMerchant;
let service: RunningService;

before(async () => {
  test = await createTestDatabase();
  big = await createTestMerchant(test.database);
  small = await createTestMerchant(test.database);
  await queueBacklog();
  service = await startService({ databaseUrl: test.serviceUrl });
});
after(async () => {
  await service?.end('SIGKILL');
  await test.drop();
});

/** Queued transfers with their holds, postings and events, as that many requests would have left them. */
async function queueBacklog(): Promise<void> {
  const bookId = big.books.test;
  const walletId = big.wallets.test.ZMW;
  const run = (text: string) => test.database.query({ name: '', text });
  await run(`
    insert into transfers (
      book_id, id, wallet_id, reference, state, amount_minor, fee_minor, currency, phone, operator,
      country, operator_reference, event_seq, next_action_at, created_at, updated_at
    )
    select '${bookId}', gen_random_uuid(), '${walletId}', 'backlog-' || n, 'queued', 1, 0, 'ZMW',
           '+260977433571', 'airtel', 'zm', gen_random_uuid(), 1, now(), now(), now()
    from generate_series(1, ${BACKLOG}) n`);
  await run(`
    insert into events (book_id, subject_id, seq, type, to_state, cause, actor, created_at)
    select book_id, id, 1, 'transfer.created', 'queued', 'accepted', 'test', now()
    from transfers where book_id = '${bookId}'`);
  await run(`
    insert into postings (
      book_id, wallet_id, seq, kind, from_account, to_account, amount_minor, currency, transfer_id,
      available_after_minor, held_after_minor, created_at
    )
    select t.book_id, t.wallet_id, 1 + row_number() over (), 'hold', 'available', 'held', 1, 'ZMW',
           t.id, w.available_minor - row_number() over (), row_number() over (), now()
    from transfers t join wallets w on w.book_id = t.book_id and w.id = t.wallet_id
    where t.book_id = '${bookId}'`);
  await run(`
    update wallets set available_minor = available_minor - ${BACKLOG}, held_minor = ${BACKLOG},
           posting_seq = posting_seq + ${BACKLOG}
    where id = '${walletId}'`);
}

async function call(path: string, init: RequestInit = {}) {
  const response = await fetch(`${service.baseUrl}/api/v1/payments/${path}`, {
    ...init,
    headers: { 'x-api-key': small.keys.test, 'content-type': 'application/json' },
  });
  return (await response.json()) as { data: { id: string; state: string } };
}

async function payAlone(): Promise<number> {
  const startedMs = performance.now();
  const body = JSON.stringify({
    amount: 1,
    reference: randomUUID(),
    phone: '0966123456',
    operator: 'mtn',
    country: 'zm',
    walletId: small.wallets.test.ZMW,
  });
  const { data } = await call('transfers/mobile-money', { method: 'POST', body });
  await pollUntil('the single transfer to be paid', async () => {
    return (await call(`transfers/${data.id}`)).data.state === 'succeeded';
  });
  return performance.now() - startedMs;
}

async function countLeft(): Promise<number> {
  const [row] = await test.database.query<{ left: number }>({
    name: '',
    text: `select count(*)::integer as left from transfers where state = 'queued'`,
  });
  return row?.left ?? 0;
}

it(`one book's backlog of ${BACKLOG} delays another book's transfer by less than ${DELAY_MAX_MS / 1_000} s`, async (t) => {
  const delays: number[] = [];
  // The first call of a process also compiles what it needs.
  await payAlone();
  for (let n = 0; n < SINGLES; n += 1) delays.push((await payAlone()) - SANDBOX_DELAY_MS);
  const left = await countLeft();
  t.diagnostic(`slowest ${Math.round(Math.max(...delays))} ms, ${left} still queued at the end`);
  assert.ok(left > 0, 'the backlog was gone before the last single transfer');
  assert.ok(Math.max(...delays) < DELAY_MAX_MS, `delays: ${delays.map(Math.round).join(', ')} ms`);
  await pollUntil('the backlog to drain', async () => (await countLeft()) === 0, 120_000);
});
