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
    const at = deps.now();
    const [ended] = await tx.query<{ name: string; email: string }>(WITHDRAW, [
      id,
      team.merchantId,
      at,
    ]);
    if (ended === undefined) throw refuse('INVITATION_NOT_FOUND');
    await recordAct(tx, deps, {
      actor,
      kind: 'INVITATION_WITHDRAWN',
      subject: id,
      merchantId: team.merchantId,
      reason: null,
      before: { name: ended.name, email: ended.email },
      after: null,
    });
  });
}

/** The same for every open invitation to an address, which a new one replaces. */
export async function withdrawInvitationsTo(
  tx: Queryable,
  { team, email, at }: Readonly<{ team: Team; email: string; at: Date }>,
): Promise<void> {
  await tx.query(WITHDRAW_TO, [team.merchantId, email, at]);
}

/** The same for every open invitation by a person who may no longer invite. */
export async function withdrawInvitationsOf(
  tx: Queryable,
  { team, personId, at }: Readonly<{ team: Team; personId: string; at: Date }>,
): Promise<void> {
  await tx.query(WITHDRAW_OF, [team.merchantId, personId, at]);
}

const WITHDRAW: Statement = {
  name: '',
  text: `
    update invitations set ended_at = $3, ended_as = 'withdrawn'
    where id = $1 and merchant_id is not distinct from $2::uuid and ended_at is null
    returning name, email`,
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
    where merchant_id is not distinct from $1::uuid and invited_by = $2 and ended_at is null`,
};
