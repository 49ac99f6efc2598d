import { forgetMoved, moveMerchant, undoMove } from '../src/cells/move/move-merchant.ts';
import { TEST_ACTOR } from './test-actor.ts';
import { openTwoCells } from './two-cells.ts';

/** Moves a merchant in a process of its own, so that a test can kill it at a failpoint. */
const [connectionString = '', merchant = '', verb = ''] = process.argv.slice(2);
const cells = openTwoCells({ connectionString });
const request = { actor: TEST_ACTOR, merchant, reason: null };
if (verb === 'undo') await undoMove(cells.deps, request);
else if (verb === 'forget') await forgetMoved(cells.deps, request);
else {
  const { pausedMs } = await moveMerchant(cells.deps, { ...request, to: verb });
  process.stdout.write(`${Math.round(pausedMs)}\n`);
}
await cells.drop();
