import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { openCallbackWorld } from '../../../test/callback-world.ts';
import { pollUntil } from '../../../test/poll.ts';
import { createLogger } from '../../telemetry/logger.ts';
import { createCallbackReader } from './callback-reader.ts';

const world = openCallbackWorld();
const stops: (() => Promise<void>)[] = [];
after(async () => {
  for (const stop of stops) await stop();
});

it('reads further callbacks while an answer is not recorded yet', async () => {
  const { operator, leaseOwner } = world.openProcess();
  const answered: string[] = [];
  const blocked = Promise.withResolvers<void>();
  const reader = createCallbackReader({
    database: world.database,
    routes: operator.routes,
    leaseOwner,
    // As while a wallet is locked.
    answer({ transfer }) {
      answered.push(transfer.id);
      return blocked.promise;
    },
    logger: createLogger({ level: 'silent' }),
    now: () => new Date(),
  });
  reader.start();
  stops.push(async () => {
    blocked.resolve();
    await reader.stop();
  });
  for (let count = 1; count <= 3; count += 1) {
    const transfer = await world.storeSent();
    await world.call(transfer);
    reader.wake();
    await pollUntil('the callback is taken', () => answered.length === count);
    assert.equal(answered.at(-1), transfer.id);
  }
});
