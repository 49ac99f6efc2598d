import type { PersonActor } from '../domain/actor.ts';
import { closeIncident } from '../resolutions/close-incident.ts';
import type { Resolution } from '../resolutions/propose-resolution.ts';
import { resolveByPeople } from '../resolutions/resolve-by-people.ts';
import { openIncident } from '../transfers/move/open-incident.ts';
import type { DemoActors } from './demo-actors.ts';
import type { HistoryStep } from './history-clock.ts';
import { later, type PayoutScene, transferOf } from './history-payouts.ts';
import type { PlannedPayout } from './plan-payouts.ts';
import type { Story } from './stories.ts';

const HOUR_MS = 3_600_000;
const INCIDENT_AFTER_MS = 5 * HOUR_MS;
const CLOSED_AFTER_MS = 29 * HOUR_MS;
const PROPOSED_AFTER_MS = 25 * HOUR_MS;
const CONFIRMED_AFTER_MS = 26 * HOUR_MS;

const DECIDED_PAID: Resolution = {
  decision: 'paid',
  receipt: 'MP-7781204',
  evidence: 'The operator confirmed the receipt by mail, ticket 4471.',
};
const DECIDED_REVERSED: Resolution = {
  decision: 'reversed',
  receipt: null,
  evidence: 'The amount is back on the statement of the operator account, line 118.',
};
const PROPOSED: Resolution = {
  decision: 'not_paid',
  receipt: null,
  evidence: 'The list of the operator for that day does not have it, ticket 4502.',
};

/** What people decided about payouts, and the incidents that they closed or still have to. */
export function planDecisionSteps(
  scene: PayoutScene,
  payouts: readonly PlannedPayout[],
  { admin, treasurer }: DemoActors,
): readonly HistoryStep[] {
  const find = (story: Story) => payouts.filter((payout) => payout.story === story);
  const incidents = [
    ...find('failed, and paid after all').map((payout) => open(scene, payout)),
    ...find('paid, and reported otherwise').flatMap((payout) => mismatch(scene, payout, treasurer)),
  ];
  if (admin === undefined || treasurer === undefined) return incidents;
  const both = (payout: PlannedPayout, resolution: Resolution): readonly HistoryStep[] => [
    resolve(scene, payout, { actor: treasurer, resolution, afterMs: PROPOSED_AFTER_MS }),
    resolve(scene, payout, { actor: admin, resolution, afterMs: CONFIRMED_AFTER_MS }),
  ];
  return [
    ...incidents,
    ...find('in doubt, decided by people').flatMap((payout) => both(payout, DECIDED_PAID)),
    ...find('reversed by people').flatMap((payout) => both(payout, DECIDED_REVERSED)),
    ...find('in doubt, proposed').map((payout) => {
      const afterMs = scene.now.getTime() - payout.at.getTime() - 2 * HOUR_MS;
      return resolve(scene, payout, { actor: treasurer, resolution: PROPOSED, afterMs });
    }),
  ];
}

function open(scene: PayoutScene, payout: PlannedPayout): HistoryStep {
  return {
    at: later(payout.at, INCIDENT_AFTER_MS),
    async happen() {
      await openAt(scene, payout, 'paid_after_failure');
    },
  };
}

async function openAt(
  scene: PayoutScene,
  payout: PlannedPayout,
  kind: 'paid_after_failure' | 'mismatch_after_success',
): Promise<string> {
  const { past } = scene;
  const id = past.newId();
  const transfer = transferOf(scene, payout);
  await openIncident(past.database, { id, transfer, kind, at: past.now() });
  return id;
}

/** One that a person closed a day later, where there is one. */
function mismatch(
  scene: PayoutScene,
  payout: PlannedPayout,
  treasurer: PersonActor | undefined,
): readonly HistoryStep[] {
  if (treasurer === undefined) return [];
  let id = '';
  const note = 'The operator corrected its report: the amount was right.';
  return [
    {
      at: later(payout.at, INCIDENT_AFTER_MS),
      async happen() {
        id = await openAt(scene, payout, 'mismatch_after_success');
      },
    },
    {
      at: later(payout.at, CLOSED_AFTER_MS),
      happen: async () => void (await closeIncident(scene.past, { actor: treasurer, id, note })),
    },
  ];
}

function resolve(
  scene: PayoutScene,
  payout: PlannedPayout,
  said: Readonly<{ actor: PersonActor; resolution: Resolution; afterMs: number }>,
): HistoryStep {
  const { actor, resolution, afterMs } = said;
  return {
    at: later(payout.at, afterMs),
    async happen() {
      const { id } = transferOf(scene, payout);
      await resolveByPeople(scene.past, { actor, id, resolution });
    },
  };
}
