import { forgetMoved, moveMerchant, undoMove } from '../src/cells/move/move-merchant.ts';
import { type MovePlace, openMoveDeps } from './move-deps.ts';
import { TEST_ACTOR } from './test-actor.ts';

/** Moves a merchant in a process of its own, so that a test can kill it at a failpoint. */
const [places = '', merchant = '', verb = ''] = process.argv.slice(2);
const { deps, close } = openMoveDeps(JSON.parse(places) as [MovePlace, ...MovePlace[]]);
const request = { actor: TEST_ACTOR, merchant, reason: null };
if (verb === 'undo') await undoMove(deps, request);
else if (verb === 'forget') await forgetMoved(deps, request);
else await moveMerchant(deps, { ...request, to: verb });
await close();
