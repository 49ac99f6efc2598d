import type { ActFilter } from '../src/acts/list-acts.ts';
import type { MachineActor } from '../src/domain/actor.ts';

/** Who acts in tests that are not about who acts. */
export const TEST_ACTOR: MachineActor = { kind: 'machine', user: 'tester', host: 'test.example' };

export const ANY_ACT: ActFilter = {
  actor: null,
  merchantId: null,
  kind: null,
  from: null,
  to: null,
};
