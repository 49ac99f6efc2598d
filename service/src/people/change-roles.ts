import type { ActDeps, ActKind } from '../acts/act.ts';
import { recordAct } from '../acts/record-act.ts';
import type { Cells } from '../cells/cell.ts';
import type { Actor } from '../domain/actor.ts';
import { refuse } from '../domain/refusal.ts';
import { mayAsStaff, mayInMerchant } from '../domain/roles.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import type { Logger } from '../telemetry/logger.ts';
import { closeAccountWithoutRoles } from './close-account.ts';
import { endAdminKey } from './end-admin-key.ts';
import { keepRightToPropose, readRightToPropose } from './keep-right-to-propose.ts';
import { revokeAwaitingKeys } from './revoke-awaiting-keys.ts';
import {
  describeRoles,
  type HeldRole,
  isGivenRole,
  isStaffRole,
  lockTeam,
  refuseUnlessMayChange,
  refuseUnlessMayGive,
  refuseWithoutHead,
  rolesOf,
  type Team,
  type TeamRole,
} from './team.ts';
import { giveRoles, refuseForeignRoles, takeRolesExcept } from './team-roles.ts';
import { withdrawInvitationsOf } from './withdraw-invitation.ts';
import { withdrawProposals } from './withdraw-proposals.ts';

export type TeamDeps = ActDeps &
  Readonly<{ directory: Database; cells: Cells; logger: Pick<Logger, 'warn'> }>;
type Change = Readonly<{ actor: Actor; team: Team; personId: string }>;

type RolesChange = Change &
  Readonly<{
    roles: readonly TeamRole[];
    /** The roles that the actor saw; null or absent: the caller does not say. */
    before?: readonly TeamRole[] | null;
  }>;

/** Replaces the roles of a person of a team. In force at once. */
export async function changeRoles(deps: TeamDeps, request: RolesChange): Promise<void> {
  const { team, roles } = request;
  await deps.directory.transaction(async (tx) => {
    const held = await lockTeam(tx, team);
    await refuseForeignRoles(tx, team, roles);
    const receiverId = request.personId;
    refuseUnlessMayGive(request.actor, team, { held, wanted: roles, receiverId });
    const { before: seen = null, ...change } = request;
    await replaceRoles(tx, deps, { ...change, seen, held, kind: 'ROLES_CHANGED' });
  });
  await withdrawUnlessMay(deps, request);
}

/** Takes a person out of a team. Their sessions see nothing of it any more, at once. */
export async function removePerson(deps: TeamDeps, request: Change): Promise<void> {
  await deps.directory.transaction(async (tx) => {
    const held = await lockTeam(tx, request.team);
    const change = { ...request, roles: [], seen: null };
    await replaceRoles(tx, deps, { ...change, held, kind: 'PERSON_REMOVED' });
  });
  await withdrawUnlessMay(deps, { ...request, roles: [] });
}

type Replacement = Change &
  Readonly<{
    roles: readonly TeamRole[];
    seen: readonly TeamRole[] | null;
    held: readonly HeldRole[];
    kind: ActKind;
  }>;

async function replaceRoles(tx: Queryable, deps: TeamDeps, change: Replacement): Promise<void> {
  const { actor, team, personId, roles, seen, held, kind } = change;
  refuseUnlessMayChange(actor, team, held);
  const before = rolesOf(held, personId);
  if (before.length === 0) throw refuse('PERSON_NOT_FOUND');
  if (seen !== null && !sameRoles(seen, before)) {
    throw refuse('CONTENT_CHANGED', { message: ROLES_CHANGED });
  }
  const others = held.filter((role) => role.personId !== personId);
  refuseWithoutHead(team, {
    before: held,
    after: [...others, ...roles.map((role) => ({ ...role, personId }))],
  });
  const at = deps.now();
  const since = team.merchantId === null ? await readRightToPropose(tx, personId) : undefined;
  await takeRolesExcept(tx, team, { personId, kept: roles });
  await giveRoles(tx, team, { personId, roles });
  await keepRightToPropose(tx, { personId, since });
  await endWhatRolesBegan(tx, deps, change);
  const [person] = await tx.query<PersonRow>(FIND, [personId]);
  const { name = '', email = null } = person ?? {};
  if (roles.length === 0) await closeAccountWithoutRoles(tx, { personId, at });
  await recordAct(tx, deps, {
    actor,
    kind,
    subject: personId,
    merchantId: team.merchantId,
    reason: null,
    before: { name, email, roles: describeRoles(before) },
    after: roles.length === 0 ? null : { name, email, roles: describeRoles(roles) },
  });
}

function sameRoles(one: readonly TeamRole[], other: readonly TeamRole[]): boolean {
  const wordsOf = (roles: readonly TeamRole[]) =>
    [...new Set(roles.map(({ role, bookId }) => `${role} ${bookId}`))].toSorted().join();
  return wordsOf(one) === wordsOf(other);
}

const ROLES_CHANGED =
  'The roles of this person are not as you saw them: another person changed them. Nothing was changed. Look at them again, then decide.';

/**
 * An invitation or a key that waits counts only while its author could make it anew, and the key of an administrator only
 * while its owner is an admin.
 */
async function endWhatRolesBegan(
  tx: Queryable,
  deps: TeamDeps,
  { actor, team, personId, roles }: Replacement,
): Promise<void> {
  const words = roles.map(({ role }) => role).filter(isStaffRole);
  const mayInvite =
    team.merchantId === null
      ? mayAsStaff(words, 'staff:write')
      : mayInMerchant(roles.filter(isGivenRole), 'people:write');
  if (!mayInvite) await withdrawInvitationsOf(tx, deps, { actor, team, personId });
  if (team.merchantId === null) {
    if (!words.includes('admin')) await endAdminKey(tx, deps, { actor, personId });
    return;
  }
  const makesKeysIn = roles.filter(({ role }) => role === 'owner' || role === 'developer');
  if (makesKeysIn.some(({ bookId }) => bookId === null)) return;
  const keptBookIds = makesKeysIn.flatMap(({ bookId }) => bookId ?? []);
  const { merchantId } = team;
  await revokeAwaitingKeys(tx, deps, { actor, merchantId, personId, keptBookIds });
}

/** So does a proposal of the staff, which is in its cell. */
async function withdrawUnlessMay(
  deps: TeamDeps,
  { actor, team, personId, roles }: Change & Readonly<{ roles: readonly TeamRole[] }>,
): Promise<void> {
  const words = roles.map(({ role }) => role).filter(isStaffRole);
  if (team.merchantId !== null || mayAsStaff(words, 'transfers:resolve')) return;
  await withdrawProposals(deps, { id: personId, actor });
}

type PersonRow = { name: string; email: string | null };

const FIND: Statement = { name: '', text: 'select name, email from people where id = $1' };
