/** The origin from which full hours are counted, the same as in the index transfers_finished_reference. */
const FIRST_HOUR = `timestamptz '2000-01-01 00:00:00+00'`;

/** The hour of a time, as in the index transfers_finished_reference. */
export function hourOf(expression: string): string {
  return `date_bin(interval '1 hour', ${expression}, ${FIRST_HOUR})`;
}

/** The hour in which transfer `t` ended. */
export const HOUR_OF_END = hourOf('t.completed_at');
