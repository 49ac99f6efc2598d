import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it, type TestContext } from 'node:test';
import { scriptRoute } from '../../../test/fake-route.ts';
import {
  keysOf,
  startServer,
  TEST_KEY,
  type TestServer,
  VALID_KEY,
} from '../../../test/http-server.ts';
import { createTestBook } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { refuse } from '../../domain/refusal.ts';
import { type Database, DatabaseUnreachable, OutcomeUnknown } from '../../postgres/database.ts';
import type { ApiOperation, ApiRequest } from '../server/api-operation.ts';
import { uploadPayoutFileOperation } from './upload-payout-file.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

const read = (text: string, values: readonly unknown[]) =>
  test.database.query<{ id: string }>({ name: '', text }, values);
const listFiles = (bookId: string) =>
  read('select id::text from payout_files where book_id = $1', [bookId]);

type Faults = Readonly<{
  /** Of every read after the file is stored. */
  afterStoring?: Error;
  /** Of the transaction that stores the file, after it has committed. */
  ofStoring?: Error;
  /** Of the turn among pages. */
  ofPages?: Error;
  /** Of the second turn among uploads, in which a file that cannot be read is deleted. */
  ofDeleting?: Error;
  /** What the check finds. */
  problem?: 'NO_HEADER';
}>;

/** A server that stores uploads in a book of its own, and fails where the test says. Its files are checked at once. */
async function startUploads(t: TestContext, faults: Faults = {}) {
  const book = { ...(await createTestBook(test.database)), cell: 'main' };
  let isStored = false;
  const database: Database = Object.assign(Object.create(test.database), {
    query: (...given: Parameters<Database['query']>) =>
      isStored && faults.afterStoring !== undefined
        ? Promise.reject(faults.afterStoring)
        : test.database.query(...given),
    async transaction<T>(work: Parameters<typeof test.database.transaction<T>>[0]) {
      const result = await test.database.transaction(work);
      if (faults.ofStoring !== undefined) throw faults.ofStoring;
      isStored = true;
      await read(CHECK, [book.id, faults.problem ?? null]);
      return result;
    },
  });
  const operation = uploadPayoutFileOperation({
    database,
    directory: database,
    routes: scriptRoute({}).routes,
    now: () => new Date(),
    newId: () => randomUUID(),
    wait: () => Promise.resolve(),
    monotonicMs: () => performance.now(),
    checker: { wake: () => undefined },
    nameChecker: { wake: () => undefined },
  });
  const served = await startServer([refuseTurns(operation, faults)], {
    authenticator: keysOf({ [VALID_KEY]: { ...TEST_KEY, book } }),
  });
  t.after(() => served.stop());
  return { served, book };
}

function refuseTurns(operation: ApiOperation, { ofPages, ofDeleting }: Faults): ApiOperation {
  return {
    ...operation,
    handle(request) {
      const { caller, upload, query, header, isAbandoned } = request;
      let uploads = 0;
      const inTurn: ApiRequest['inTurn'] = (among, work) => {
        if (among === 'uploads') uploads += 1;
        const fault = among === 'pages' ? ofPages : uploads === 2 ? ofDeleting : undefined;
        return fault === undefined ? request.inTurn(among, work) : Promise.reject(fault);
      };
      const { requestId, address, isFromThisMachine, params, body } = request;
      const rest = { requestId, address, isFromThisMachine, params, body };
      return operation.handle({ ...rest, caller, upload, query, header, isAbandoned, inTurn });
    },
  };
}

async function upload({ send }: TestServer, headers: Readonly<Record<string, string>> = {}) {
  const answer = await send({
    method: 'POST',
    path: '/api/v1/payments/payout-files',
    headers: { 'x-api-key': VALID_KEY, 'content-type': 'text/csv', ...headers },
    body: 'phone,amount\n0977433571,10\n',
  });
  const { message, data } = JSON.parse(answer.text);
  return { ...answer, message, data };
}

describe('an upload whose file is stored', () => {
  const faults: Readonly<Record<string, [Faults, number, string]>> = {
    'its turn to be described does not come': [
      { ofPages: refuse('UNAVAILABLE') },
      503,
      'UNAVAILABLE',
    ],
    'too many calls of its owner wait': [{ ofPages: refuse('RATE_LIMITED') }, 503, 'UNAVAILABLE'],
    'the database fails after the commit': [
      { afterStoring: new DatabaseUnreachable(new Error('gone')) },
      503,
      'UNAVAILABLE',
    ],
    'there is a bug': [{ afterStoring: new Error('a bug') }, 500, 'INTERNAL_ERROR'],
  };
  for (const [why, [fault, status, code]] of Object.entries(faults)) {
    it(`is answered with its id, and not to be repeated, when ${why}`, async (t) => {
      const { served, book } = await startUploads(t, fault);
      const { message, data, headers, ...answer } = await upload(served);
      const [file] = await listFiles(book.id);
      assert.ok(file !== undefined);
      assert.deepEqual([answer.status, data.error.code], [status, code]);
      assert.ok(message.startsWith(`The file was stored as ${file.id},`), message);
      assert.match(message, /do not upload it again/);
      assert.doesNotMatch(message, /Nothing was stored/);
      assert.equal(headers.location, `/api/v1/payments/payout-files/${file.id}`);
      assert.equal(headers['x-should-retry'], 'false');
      assert.equal(data.error.retryable, false);
    });
  }

  it('may be repeated under its Idempotency-Key when it cannot be shown', async (t) => {
    const { served, book } = await startUploads(t, { ofPages: refuse('UNAVAILABLE') });
    const key = { 'idempotency-key': 'payroll' };
    const first = await upload(served, key);
    assert.equal(first.headers['x-should-retry'], 'true');
    assert.match(first.message, /stored as .* with the same Idempotency-Key/);
    await upload(served, key);
    assert.equal((await listFiles(book.id)).length, 1);
  });

  it('is logged with the fault that kept it from being shown', async (t) => {
    const { served } = await startUploads(t, { afterStoring: new Error('a bug') });
    await upload(served);
    assert.ok(served.logLines.some((line) => line.includes('a bug')));
  });

  it('says that a file that cannot be read stays when its turn to be deleted does not come', async (t) => {
    const { served, book } = await startUploads(t, {
      problem: 'NO_HEADER',
      ofDeleting: refuse('UNAVAILABLE'),
    });
    const { status, message } = await upload(served);
    const [file] = await listFiles(book.id);
    assert.ok(file !== undefined);
    assert.equal(status, 422);
    assert.ok(message.includes(file.id), message);
    assert.doesNotMatch(message, /Nothing was stored/);
  });

  it('says that nothing is stored of a file that cannot be read and that another call has deleted', async (t) => {
    const { served } = await startUploads(t, {
      problem: 'NO_HEADER',
      ofDeleting: refuse('PAYOUT_FILE_NOT_FOUND'),
    });
    const { status, message } = await upload(served);
    assert.equal(status, 422);
    assert.match(message, /Nothing was stored\.$/);
  });

  it('is to be looked for before it is repeated when the database does not confirm it', async (t) => {
    const { served } = await startUploads(t, { ofStoring: new OutcomeUnknown(new Error('gone')) });
    const { status, message, headers } = await upload(served);
    assert.equal(status, 503);
    assert.match(message, /^It is not known whether the file was stored.*list of payout files/);
    assert.equal(headers['x-should-retry'], 'false');
    const keyed = await upload(served, { 'idempotency-key': 'payroll' });
    assert.equal(keyed.headers['x-should-retry'], 'true');
  });
});

const CHECK = `
  update payout_files set state = 'draft', next_action_at = null, problem_code = $2 where book_id = $1`;
