import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createDispatchProcess } from '../../test/dispatch-process.ts';
import { scriptRoute } from '../../test/fake-route.ts';
import { pollUntil } from '../../test/poll.ts';
import { addTestAdministrators, moveTo, newTestId, storeDoubt } from '../../test/stored-doubt.ts';
import { readActs } from '../../test/test-actor.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { PersonActor } from '../domain/actor.ts';
import { type Outcome, REPORTED_FIELDS } from '../domain/outcome.ts';
import type { Transfer } from '../domain/transfer.ts';
import type { Connector, ConnectorReply } from '../operators/contract/connector.ts';
import type { Database } from '../postgres/database.ts';
import { findAnyTransfer } from '../transfers/read/find-any-transfer.ts';
import { readExchanges } from '../transfers/read/read-exchanges.ts';
import { recallFromOperator } from './recall-from-operator.ts';

const PAID: Outcome = {
  kind: 'paid',
  operatorTransactionId: 'receipt-1',
  confirmed: REPORTED_FIELDS,
};
const NOT_READY: ConnectorReply = { outcome: { kind: 'unknown', cause: 'warming up' }, wire: null };
const TAKEN: ConnectorReply = {
  outcome: { kind: 'pending', inquireInMs: 1_000 },
  wire: { request: 'PUT /reversal/', httpStatus: 201, answer: '{"code":"INS-0"}', elapsedMs: 12 },
};

let test: TestDatabase;
let actor: PersonActor;
before(async () => {
  test = await createTestDatabase();
  actor = (await addTestAdministrators(test.database, ['Chanda'])).Chanda;
});
after(() => test.drop());

function recallWith(
  transfer: Transfer,
  replies: readonly ConnectorReply[],
  onAsked: () => void = () => undefined,
  database: Database = test.database,
) {
  const left = [...replies];
  const asked: (string | null)[] = [];
  const [route] = scriptRoute({}).routes.all();
  assert.ok(route !== undefined);
  const recall: Connector['recall'] = async (_, { operatorTransactionId }) => {
    asked.push(operatorTransactionId);
    onAsked();
    return left.shift() ?? NOT_READY;
  };
  const connector: Connector = { ...route.connector, ...(replies.length === 0 ? {} : { recall }) };
  const deps = {
    database,
    now: () => new Date(),
    newId: newTestId,
    connectorOf: (name: string) => (name === 'mtn-zm' ? connector : undefined),
    wait: async () => undefined,
    onWait: () => undefined,
  };
  return { asked, result: recallFromOperator(deps, { actor, id: transfer.id }) };
}

const attemptsOf = ({ bookId, id }: Transfer) =>
  readExchanges(test.database, { bookId, transferId: id, max: 10 });

describe('a recall', () => {
  it('keeps what the operator answered, changes no state, and has it asked about soon', async () => {
    const paid = await moveTo(test.database, await storeDoubt(test.database), 'succeeded');
    assert.equal(paid.nextActionAt, null);
    const { result } = recallWith(paid, [TAKEN]);
    assert.equal((await result).reply, TAKEN);
    const { transfer } = await findAnyTransfer(test.database, paid.id);
    assert.equal(transfer.state, 'succeeded');
    assert.notEqual(transfer.nextActionAt, null);
    const [attempt] = await attemptsOf(paid);
    assert.equal(attempt?.purpose, 'recall');
    assert.equal(attempt?.outcome, 'pending');
    assert.equal(attempt?.answer, '{"code":"INS-0"}');
    const [act] = await readActs(test);
    assert.deepEqual([act?.actor.name, act?.kind], ['Chanda', 'TRANSFER_RECALLED']);
    assert.equal(act?.subject, paid.id);
  });

  it('has a paid one asked about until it is returned, or a person must find out', async () => {
    const doubt = await storeDoubt(test.database);
    const paid = await moveTo(test.database, doubt, 'succeeded');
    const run = (text: string) => test.database.query({ name: '', text }, [paid.id]);
    // After a long doubt, and while another process asks: what it hears is from before the recall.
    await run(`update transfers set checks = 150, lease_owner = gen_random_uuid(),
      next_action_at = now() + interval '30 s' where id = $1`);
    await recallWith(paid, [TAKEN]).result;
    const read = async () => (await findAnyTransfer(test.database, paid.id)).transfer;
    assert.equal((await read()).checks, 0);

    let answer: Outcome = PAID;
    const operator = scriptRoute({ name: 'mtn-zm', inquire: () => answer });
    const { scanner, dispatcher } = createDispatchProcess(test, operator);
    const askNow = async (until: (transfer: Transfer) => boolean) => {
      await run(`update transfers set next_action_at = now() where id = $1`);
      await pollUntil('the answer is recorded', async () => until(await read()));
    };
    scanner.start();
    try {
      await askNow(({ checks }) => checks === 1);
      assert.notEqual((await read()).nextActionAt, null);
      await run('update transfers set checks = 1000 where id = $1');
      await askNow(({ nextActionAt }) => nextActionAt === null);
      const open = 'select kind from incidents where transfer_id = $1 and closed_at is null';
      assert.deepEqual(await run(open), [{ kind: 'unclear_after_end' }]);
      answer = { kind: 'returned', cause: 'reversed' };
      await askNow(({ state }) => state === 'reversed');
    } finally {
      await scanner.stop();
      await dispatcher.idle();
    }
  });

  it('has the order never submitted again, after any answer of the operator', async () => {
    const doubt = await storeDoubt(test.database);
    const failing: ConnectorReply = {
      ...TAKEN,
      outcome: { kind: 'notSent', cause: 'refused', retryInMs: 1 },
    };
    await recallWith(doubt, [failing]).result;
    const { transfer } = await findAnyTransfer(test.database, doubt.id);
    assert.equal(transfer.recalls, 1);
  });

  it('has a success asked about that was heard before it, and is recorded after it', async () => {
    const doubt = await storeDoubt(test.database);
    const lease = `update transfers set lease_owner = gen_random_uuid(), next_action_at = now() + interval '30 s'
      where id = $1`;
    await test.database.query({ name: '', text: lease }, [doubt.id]);
    const { transfer: asking } = await findAnyTransfer(test.database, doubt.id);
    await recallWith(doubt, [TAKEN]).result;
    const paid = await moveTo(test.database, asking, 'succeeded');
    assert.notEqual(paid.nextActionAt, null);
    // Only when it becomes so: an inquiry after it decides by itself whether another follows.
    const settled = await moveTo(test.database, paid, 'succeeded');
    assert.equal(settled.nextActionAt, null);
  });

  it('leaves the time of the next inquiry to a success that was heard after it', async () => {
    const doubt = await storeDoubt(test.database);
    await recallWith(doubt, [TAKEN]).result;
    const { transfer: recalled } = await findAnyTransfer(test.database, doubt.id);
    const paid = await moveTo(test.database, recalled, 'succeeded', 3_600_000);
    assert.ok(Number(paid.nextActionAt) > Date.now() + 3_000_000);
  });

  it('has it asked about when its process dies after it was sent', async () => {
    const paid = await moveTo(test.database, await storeDoubt(test.database), 'succeeded');
    const dying = recallWith(paid, [TAKEN], () => assert.fail('killed'));
    await assert.rejects(dying.result, /killed/);
    const { transfer } = await findAnyTransfer(test.database, paid.id);
    assert.notEqual(transfer.nextActionAt, null);
    assert.equal(transfer.recalls, 1);
  });

  it('keeps the answer when the database could not be reached at first', async () => {
    const paid = await moveTo(test.database, await storeDoubt(test.database), 'succeeded');
    let failures = 2;
    const query: Database['query'] = (statement, values) => {
      if (statement.text.includes('insert into attempts') && failures > 0) {
        failures -= 1;
        return Promise.reject(new Error('the connection was lost'));
      }
      return test.database.query(statement, values);
    };
    await recallWith(paid, [TAKEN], () => undefined, { ...test.database, query }).result;
    assert.equal((await attemptsOf(paid)).length, 1);
  });

  it('counts only when it may have left', async () => {
    const paid = await moveTo(test.database, await storeDoubt(test.database), 'succeeded');
    const recallsOf = async () => (await findAnyTransfer(test.database, paid.id)).transfer.recalls;
    await recallWith(paid, [NOT_READY]).result;
    assert.equal(await recallsOf(), 0);
    await recallWith(paid, [TAKEN]).result;
    await recallWith(paid, [NOT_READY]).result;
    assert.equal(await recallsOf(), 1, 'the one that left stays counted');
  });

  it('is refused when the transfer ended between the look and the recall', async () => {
    const doubt = await storeDoubt(test.database);
    let ended = false;
    const transaction: Database['transaction'] = (work) =>
      test.database.transaction((tx) =>
        work({
          query: async (statement, values) => {
            if (!ended && statement.text.includes('update transfers')) {
              ended = true;
              await moveTo(test.database, doubt, 'failed');
            }
            return tx.query(statement, values);
          },
        }),
      );
    const recalled = recallWith(doubt, [TAKEN], () => undefined, { ...test.database, transaction });
    await assert.rejects(recalled.result, { code: 'RECALL_STATE', facts: { state: 'failed' } });
    assert.deepEqual(recalled.asked, []);
  });

  it('waits for a connector that is not ready yet, within bounds', async () => {
    const doubt = await storeDoubt(test.database);
    const warming = recallWith(doubt, [NOT_READY, NOT_READY, TAKEN]);
    assert.equal((await warming.result).reply, TAKEN);
    assert.equal(warming.asked.length, 3);
    const never = recallWith(doubt, [NOT_READY]);
    assert.equal((await never.result).reply, NOT_READY);
    assert.equal(never.asked.length, 10);
    assert.equal((await attemptsOf(doubt)).length, 1);
  });

  it('is refused where there is nothing to take back, or no way to ask', async () => {
    const doubt = await storeDoubt(test.database);
    await assert.rejects(recallWith(doubt, []).result, { code: 'RECALL_UNSUPPORTED' });
    const elsewhere = await storeDoubt(test.database, { route: 'gone' });
    await assert.rejects(recallWith(elsewhere, [TAKEN]).result, {
      code: 'RECALL_ROUTE_UNKNOWN',
      facts: { route: 'gone' },
    });
    const failed = await moveTo(test.database, doubt, 'failed');
    const refused = recallWith(failed, [TAKEN]);
    await assert.rejects(refused.result, { code: 'RECALL_STATE', facts: { state: 'failed' } });
    assert.deepEqual(refused.asked, []);
  });
});
