import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { pollUntil } from '../../test/poll.ts';
import { addTestAdministrators, newTestId } from '../../test/stored-doubt.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { createStoppedRoutes } from '../operators/routes/stopped-routes.ts';
import { createRouteStopReader } from './route-stop-reader.ts';
import { startRoutes, stopRoutes } from './stop-routes.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

it('knows of closed and held routes before it starts, and soon of changes', async () => {
  const deps = {
    database: test.database,
    directory: test.directory,
    cells: test.cells,
    now: () => new Date(),
    newId: newTestId,
  };
  const { Chanda: actor } = await addTestAdministrators(test.database, ['Chanda']);
  const close = { actor, routes: ['mtn-zm'], effect: 'closed', reason: 'maintenance' } as const;
  await stopRoutes(deps, close);
  const said: string[] = [];
  const log = (fields: Readonly<Record<string, unknown>>, message: string): void => {
    said.push(`${String(fields.route)}: ${message}`);
  };
  const stoppedRoutes = createStoppedRoutes();
  const reader = createRouteStopReader({
    directory: test.directory,
    stoppedRoutes,
    logger: { info: log, warn: log },
  });
  await reader.read();
  reader.start();
  try {
    assert.deepEqual(
      [stoppedRoutes.isClosed('mtn-zm'), stoppedRoutes.isHeld('mtn-zm')],
      [true, false],
    );
    await startRoutes(deps, close);
    await stopRoutes(deps, { ...close, routes: ['zamtel-zm'], effect: 'held' });
    await pollUntil('both are known', async () => stoppedRoutes.isHeld('zamtel-zm'));
    assert.equal(stoppedRoutes.isClosed('mtn-zm'), false);
    assert.deepEqual(said, [
      'mtn-zm: route closed by a person',
      'zamtel-zm: route held by a person',
      'mtn-zm: route started by a person',
    ]);
  } finally {
    await reader.stop();
  }
});
