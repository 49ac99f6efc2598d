import { actorCode } from '../domain/actor.ts';
import type { Scope } from '../merchants/authenticated-key.ts';
import { issueKey } from '../merchants/issue-key.ts';
import { revokeKey } from '../merchants/revoke-key.ts';
import { invitePerson } from '../people/invite-person.ts';
import { type DemoActors, SYSTEM } from './demo-actors.ts';
import type { HistoryStep } from './history-clock.ts';
import { later, type PayoutScene } from './history-payouts.ts';
import { startOf } from './history-wallets.ts';
import type { PlannedPayout } from './plan-payouts.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

type PlannedKey = Readonly<{
  name: string;
  scopes: readonly Scope[];
  afterMs: number;
  /** Null: it still works. */
  revokedAfterMs: number | null;
}>;

const PAYROLL: PlannedKey = {
  name: 'Payroll program',
  scopes: ['transfers:write', 'recipients:write', 'read'],
  afterMs: -25 * MINUTE_MS,
  revokedAfterMs: null,
};
const OTHER_KEYS: readonly PlannedKey[] = [
  { name: 'Accounting', scopes: ['read'], afterMs: 2 * DAY_MS, revokedAfterMs: null },
  {
    name: 'Laptop of the intern',
    scopes: ['read'],
    afterMs: 3 * DAY_MS,
    revokedAfterMs: 9 * DAY_MS,
  },
];

/** Keys that the owner made, the program that pays with one of them, and a person who is invited. */
export function planPeopleSteps(
  scene: PayoutScene,
  payouts: readonly PlannedPayout[],
  { owner, maker }: DemoActors,
): readonly HistoryStep[] {
  const start = startOf(payouts);
  const actor = owner ?? SYSTEM;
  const issue = async ({ name, scopes }: PlannedKey) => {
    const { id: bookId, mode } = scene.book;
    const rules = { addresses: [], expiresAt: null };
    return issueKey(scene.past, { actor, bookId, mode, name, scopes, ...rules });
  };
  const first = {
    at: later(start, PAYROLL.afterMs),
    async happen() {
      const { id } = await issue(PAYROLL);
      scene.payers.program = actorCode({ kind: 'key', id });
      scene.payers.person = maker;
    },
  };
  const others = OTHER_KEYS.flatMap((key) => {
    let id = '';
    const issued = {
      at: later(start, key.afterMs),
      happen: async () => void ({ id } = await issue(key)),
    };
    const { revokedAfterMs } = key;
    if (revokedAfterMs === null) return [issued];
    const at = later(start, revokedAfterMs);
    return [issued, { at, happen: async () => void (await revokeKey(scene.past, { actor, id })) }];
  });
  return [first, ...others, ...invite(scene, owner)];
}

/** Three hours ago, so that the invitation still waits. */
function invite(
  { past, now, book }: PayoutScene,
  owner: DemoActors['owner'],
): readonly HistoryStep[] {
  if (owner === undefined) return [];
  const deps = { ...past, consoleOrigin: () => '', sendMail: undefined };
  const team = { merchantId: book.merchantId };
  const invited = { name: 'Natasha Mwansa', email: 'natasha.mwansa@demo.test' };
  const roles = [{ role: 'developer', bookId: null }] as const;
  return [
    {
      at: later(now, -3 * HOUR_MS),
      happen: async () =>
        void (await invitePerson(deps, { actor: owner, team, ...invited, roles })),
    },
  ];
}
