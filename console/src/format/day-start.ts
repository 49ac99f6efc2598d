const DAY_MS = 86_400_000;

/** The day in a zone at an instant: `2026-10-30`. */
export function dayOf(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(at);
}

/** Another day, this many later. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);
}

/** The instant at which a day begins in a zone; undefined: no such day. */
export function startOfDay(day: string, timeZone: string): Date | undefined {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight)) return undefined;
  // The zone may change its distance from UTC between the guess and the answer: a second look settles it.
  const guess = midnight - distanceMs(midnight, timeZone);
  return new Date(midnight - distanceMs(guess, timeZone));
}

/** How far the clocks of a zone are ahead of UTC at an instant. */
function distanceMs(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(new Date(at));
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((one) => one.type === type)?.value ?? '00';
  const shown = `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}Z`;
  return Date.parse(shown) - Math.floor(at / 1_000) * 1_000;
}
