import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ApiRequest, EventStream } from '../server/api-operation.ts';
import type { PersonCaller } from '../server/caller.ts';
import type { ChangeHub } from './change-hub.ts';
import { streamOperationsOperation } from './stream-changes.ts';

it('the staff listen to all cells, and wait only for those that answer', async () => {
  const calls: string[] = [];
  const hubOf = (name: string) =>
    ({
      async prepare() {
        calls.push(`prepare ${name}`);
      },
      add: () => void calls.push(`add ${name}`),
    }) as unknown as ChangeHub;
  const { handle } = streamOperationsOperation(() => [
    { hub: hubOf('east'), answers: false },
    { hub: hubOf('main'), answers: true },
  ]);
  const request = { caller: { session: { id: 'session' } } } as ApiRequest<PersonCaller>;
  const answer = await handle(request);
  assert.ok('begin' in answer);
  answer.begin({} as EventStream);
  assert.deepEqual(calls, ['prepare main', 'add east', 'add main']);
});
