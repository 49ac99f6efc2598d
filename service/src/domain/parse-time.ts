// The space allows for a plus that was not percent-encoded: it arrives as a space.
const TIME_PATTERN =
  /^(\d{4}-\d{2}-\d{2})(?:T((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)(Z|[+ -](?:[01]\d|2[0-3]):[0-5]\d))?$/;

/** An ISO 8601 date and time with a zone, or a date alone, which means midnight UTC. */
export function parseTime(text: string): Date | undefined {
  const [, day, clock = '00:00', zone = 'Z'] = TIME_PATTERN.exec(text) ?? [];
  if (day === undefined) return undefined;
  const midnight = new Date(`${day}T00:00Z`);
  // JavaScript reads the 30th of February as the 2nd of March; a date that does not exist is refused instead.
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day) {
    return undefined;
  }
  return new Date(`${day}T${clock}${zone.replace(' ', '+')}`);
}
