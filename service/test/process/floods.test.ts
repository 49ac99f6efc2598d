import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { createApiKey } from '../../src/merchants/api-key.ts';
import { pollUntil } from '../poll.ts';
import { type RunningService, startService } from '../running-service.ts';
import { createTestDatabase, type TestDatabase } from '../test-database.ts';

const REQUESTS = 400;
const AT_ONCE = 20;

type LogLine = Readonly<{ msg: string; status?: number; suppressed?: number; requestId?: string }>;

describe('a flood of requests without a valid key', () => {
  let test: TestDatabase;
  let service: RunningService;

  before(async () => {
    test = await createTestDatabase();
    service = await startService({ databaseUrl: test.connectionString });
  });
  after(async () => {
    await service.end();
    await test.drop();
  });

  async function flood(send: () => Promise<Response>): Promise<ReadonlySet<number>> {
    const statuses = new Set<number>();
    for (let sent = 0; sent < REQUESTS; sent += AT_ONCE) {
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, send));
      for (const answer of answers) {
        statuses.add(answer.status);
        await answer.arrayBuffer();
      }
    }
    return statuses;
  }

  it('leaves one line per kind and second in the log, and a count of the rest', async () => {
    const startedMs = performance.now();
    const unknownPaths = await flood(() => fetch(`${service.baseUrl}/wp-login.php`));
    assert.deepEqual([...unknownPaths], [404]);
    const invented = await flood(() => {
      const { text } = createApiKey('live', randomBytes);
      const headers = { 'x-api-key': text };
      return fetch(`${service.baseUrl}/api/v1/payments/wallets`, { headers });
    });
    for (const status of invented) assert.ok(status === 401 || status === 429, `${status}`);
    const seconds = Math.ceil((performance.now() - startedMs) / 1_000);
    assert.equal(await service.end(), 0);
    await pollUntil('the last line', () => service.output().includes('"msg":"stopped"'));
    const refused = service
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as LogLine)
      .filter(({ msg }) => msg === 'request refused');
    const counted = refused.reduce((count, { requestId, suppressed = 0 }) => {
      return count + suppressed + (requestId === undefined ? 0 : 1);
    }, 0);
    assert.equal(counted, 2 * REQUESTS);
    // Three kinds, each with one line a second and one for the rest of that second.
    assert.ok(refused.length <= 3 * 2 * (seconds + 2), `${refused.length} lines in ${seconds} s`);
  });
});
