import type { Actor, PersonActor } from '../domain/actor.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/** The demo people who act in the made-up history; undefined: the database has no such person. */
export type DemoActors = Readonly<{
  owner: PersonActor | undefined;
  maker: PersonActor | undefined;
  approver: PersonActor | undefined;
  admin: PersonActor | undefined;
  treasurer: PersonActor | undefined;
}>;

/** Acts where there is no person. */
export const SYSTEM: Actor = { kind: 'system', part: 'demo history' };

/** Finds the demo people who still have the role that their address names. */
export async function findDemoActors(tx: Queryable, merchantId: string): Promise<DemoActors> {
  const rows = await tx.query<{ id: string; name: string; email: string }>(FIND, [merchantId]);
  const find = (email: string, team: Readonly<{ merchantId?: string }>) => {
    const row = rows.find((one) => one.email === email);
    if (row === undefined) return undefined;
    return { kind: 'person', id: row.id, name: row.name, ...team } as const;
  };
  return {
    owner: find('owner@demo.test', { merchantId }),
    maker: find('maker@demo.test', { merchantId }),
    approver: find('approver@demo.test', { merchantId }),
    admin: find('admin@kafue.test', {}),
    treasurer: find('treasurer@kafue.test', {}),
  };
}

const FIND: Statement = {
  name: '',
  text: `
    select p.id, p.name, p.email from people p
    join merchant_roles r on r.person_id = p.id
    where r.merchant_id = $1 and p.removed_at is null and p.email = r.role || '@demo.test'
    union all
    select p.id, p.name, p.email from people p
    join staff_roles r on r.person_id = p.id
    where p.removed_at is null and p.email = r.role || '@kafue.test'`,
};
