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
             select concat(count(*), ' ', max(i.opened_at)) from (
               select opened_at from incidents where closed_at is null
               union all
               select opened_at from unmatched_payments where closed_at is null
             ) i
           ) as incident,
           (
             select coalesce(string_agg(concat(h.route, ' ', h.effect, ' ', h.held_at), ',' order by h.route), '')
             from route_holds h
           ) as route,
           (
             select concat(count(*), ' ', max(p.expires_at)) from (
               select expires_at from proposals where ended_at is null
               union all
               select expires_at from take_backs where ended_at is null
             ) p
           ) as doubt`,
};
