import type { ActDeps } from '../acts/act.ts';
import { recordAct } from '../acts/record-act.ts';
import type { Actor } from '../domain/actor.ts';
import { refuse } from '../domain/refusal.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { lockTeam, refuseUnlessMayChange, type Team } from './team.ts';

/** Makes the link of an invitation useless. */
export async function withdrawInvitation(
  deps: ActDeps & Readonly<{ directory: Database }>,
  { actor, team, id }: Readonly<{ actor: Actor; team: Team; id: string }>,
): Promise<void> {
  await deps.directory.transaction(async (tx) => {
    refuseUnlessMayChange(actor, team, await lockTeam(tx, team));
    const values = [id, team.merchantId, deps.now()];
    const [invitation] = await tx.query<InvitationRow>(WITHDRAW, values);
    if (invitation === undefined) throw refuse('INVITATION_NOT_FOUND');
    await recordEnd(tx, deps, { actor, team, invitation });
  });
}

/** The same for every open invitation to an address. The act of the new one, which replaces it, says so. */
export async function withdrawInvitationsTo(
  tx: Queryable,
  { team, email, at }: Readonly<{ team: Team; email: string; at: Date }>,
): Promise<void> {
  await tx.query(WITHDRAW_TO, [team.merchantId, email, at]);
}

/** The same for every open invitation by a person whom the actor left no right to invite. */
export async function withdrawInvitationsOf(
  tx: Queryable,
  deps: ActDeps,
  { actor, team, personId }: Readonly<{ actor: Actor; team: Team; personId: string }>,
): Promise<void> {
  const values = [team.merchantId, personId, deps.now()];
  const ended = await tx.query<InvitationRow>(WITHDRAW_OF, values);
  for (const invitation of ended) await recordEnd(tx, deps, { actor, team, invitation });
}

type InvitationRow = { id: string; name: string; email: string };

function recordEnd(
  tx: Queryable,
  deps: ActDeps,
  { actor, team, invitation }: Readonly<{ actor: Actor; team: Team; invitation: InvitationRow }>,
): Promise<void> {
  const { id, name, email } = invitation;
  return recordAct(tx, deps, {
    actor,
    kind: 'INVITATION_WITHDRAWN',
    subject: id,
    merchantId: team.merchantId,
    reason: null,
    before: { name, email },
    after: null,
  });
}

const WITHDRAW: Statement = {
  name: '',
  text: `
    update invitations set ended_at = $3, ended_as = 'withdrawn'
    where id = $1 and merchant_id is not distinct from $2::uuid and ended_at is null
    returning id, name, email`,
};

const WITHDRAW_TO: Statement = {
  name: '',
  text: `
    update invitations set ended_at = $3, ended_as = 'withdrawn'
    where merchant_id is not distinct from $1::uuid and email = $2 and ended_at is null`,
};

const WITHDRAW_OF: Statement = {
  name: '',
  text: `
    update invitations set ended_at = $3, ended_as = 'withdrawn'
    where merchant_id is not distinct from $1::uuid and invited_by = $2 and ended_at is null
    returning id, name, email`,
};
