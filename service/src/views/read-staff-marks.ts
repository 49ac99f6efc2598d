import type { Queryable, Statement } from '../postgres/database.ts';

/** Changes when something about open incidents, stopped routes or open proposals changes. Says nothing else. */
export type StaffMarks = Readonly<{ incident: string; route: string; doubt: string }>;

export async function readStaffMarks(database: Queryable): Promise<StaffMarks> {
  const [row] = await database.query<StaffMarks>(READ);
  if (row === undefined) throw new Error('a statement without a table returned no row');
  return row;
}

const READ: Statement = {
  name: 'read-staff-marks',
  text: `
    select (
             select concat(count(*), ' ', max(i.opened_at)) from incidents i where i.closed_at is null
           ) as incident,
           (
             select coalesce(string_agg(concat(h.route, ' ', h.effect, ' ', h.held_at), ',' order by h.route), '')
             from route_holds h
           ) as route,
           (
             select concat(count(*), ' ', max(p.expires_at)) from proposals p where p.ended_at is null
           ) as doubt`,
};
