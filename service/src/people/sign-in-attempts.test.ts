import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { createSignInAttempts, type SignInAttempts } from './sign-in-attempts.ts';

const MINUTE_MS = 60_000;

let test: TestDatabase;
let nowMs = Date.parse('2026-11-16T08:00:00Z');
/** Two processes. */
let attempts: SignInAttempts;
let others: SignInAttempts;
before(async () => {
  test = await createTestDatabase();
  const deps = { directory: test.directory, now: () => new Date(nowMs) };
  attempts = createSignInAttempts(deps);
  others = createSignInAttempts(deps);
});
after(() => test.drop());

async function failTimes(count: number, attempt: { email: string; address: string }) {
  for (let left = count; left > 0; left -= 1) {
    const { begin } = left % 2 === 0 ? attempts : others;
    assert.equal(await begin(attempt), true, `${left} were left`);
  }
}

/** How long the wait is, found by moving the clock. */
async function waitOf(attempt: { email: string; address: string }): Promise<number> {
  const startedMs = nowMs;
  for (const seconds of [5, 10, 20, 30, 40, 60, 120, 240, 480, 900]) {
    nowMs = startedMs + seconds * 1_000 - 1;
    if (await attempts.begin(attempt)) throw new Error(`shorter than ${seconds} s`);
    nowMs = startedMs + seconds * 1_000;
    if (await attempts.begin(attempt)) return seconds;
  }
  throw new Error('longer than 15 minutes');
}

describe('failed sign-ins', () => {
  it('are followed by waits that grow to 15 minutes, in every process, and end', async () => {
    const attempt = { email: 'grow@example.test', address: '198.51.100.1' };
    await failTimes(5, attempt);
    const waits: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      waits.push(await waitOf(attempt));
      // The one that ended the wait was counted.
      await failTimes(4, attempt);
    }
    assert.deepEqual(waits, [30, 60, 120, 240, 480, 900, 900]);
  });

  it('are forgotten after a day, and by a success', async () => {
    const attempt = { email: 'forget@example.test', address: '198.51.100.2' };
    await failTimes(5, attempt);
    nowMs += 25 * 60 * MINUTE_MS;
    await failTimes(5, attempt);
    assert.equal(await others.begin(attempt), false);
    await attempts.succeed(attempt, 'sign-in');
    await failTimes(5, attempt);
    assert.equal(await others.begin(attempt), false);
  });

  it('from everywhere make a person wait for a minute at most', async () => {
    const from = (index: number) => ({
      email: 'everywhere@example.test',
      address: `2001:db8:${index.toString(16)}::1`,
    });
    let index = 0;
    const fromElsewhere = () => from((index += 1));
    for (let failures = 0; failures < 20; failures += 1) await failTimes(1, fromElsewhere());
    const waits: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      waits.push(await waitOf(fromElsewhere()));
      for (let failures = 0; failures < 19; failures += 1) await failTimes(1, fromElsewhere());
    }
    assert.deepEqual(waits, [5, 10, 20, 40, 60, 60]);
  });

  it('count for the whole of an IPv6 customer', async () => {
    const from = (host: number) => ({ email: 'v6@example.test', address: `2001:db8:f::${host}` });
    for (let host = 1; host <= 5; host += 1) await failTimes(1, from(host));
    assert.equal(await attempts.begin(from(6)), false);
  });

  it('that were not looked at are taken back', async () => {
    const attempt = { email: 'undo@example.test', address: '198.51.100.3' };
    for (let round = 0; round < 12; round += 1) {
      await failTimes(1, attempt);
      await attempts.undo(attempt);
    }
    await failTimes(5, attempt);
    assert.equal(await attempts.begin(attempt), false);
  });

  it('do not pile up', async () => {
    const text = 'select count(*)::integer as rows from sign_in_attempts';
    const countRows = async () => {
      const [row] = await test.directory.query<{ rows: number }>({ name: '', text });
      return row?.rows ?? 0;
    };
    const rows = await countRows();
    nowMs += 25 * 60 * MINUTE_MS;
    for (let index = 0; index * 20 < rows; index += 1) {
      await attempts.begin({ email: 'last@example.test', address: `198.51.101.${index}` });
    }
    assert.ok((await countRows()) < rows / 2, 'old rows stay');
  });
});
