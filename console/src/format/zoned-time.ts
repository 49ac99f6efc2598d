const DAY_MS = 86_400_000;

/**
 * The instant that a date, or a date with a time, means in a zone: what people type into the browser's own fields is
 * without a zone. Undefined for other texts.
 */
export function instantOf(local: string, timeZone: string): Date | undefined {
  const text = /^\d{4}-\d{2}-\d{2}$/.test(local) ? `${local}T00:00` : local;
  const asUtc = Date.parse(`${text}Z`);
  if (Number.isNaN(asUtc)) return undefined;
  const first = asUtc - offsetMs(asUtc, timeZone);
  // Once more: the clock may have been changed between the two.
  return new Date(asUtc - offsetMs(first, timeZone));
}

type Period = Readonly<{ from: string | undefined; to: string | undefined }>;

/** The instants of a period of whole days, both included. */
export function periodOf(days: Readonly<Partial<Period>>, timeZone: string): Period {
  return {
    from: days.from === undefined ? undefined : instantOf(days.from, timeZone)?.toISOString(),
    to: days.to === undefined ? undefined : instantOf(nextDay(days.to), timeZone)?.toISOString(),
  };
}

function nextDay(day: string): string {
  const at = Date.parse(`${day}T00:00Z`);
  return Number.isNaN(at) ? day : new Date(at + DAY_MS).toISOString().slice(0, 10);
}

function offsetMs(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(new Date(at));
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  const local = `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}:${of('second')}Z`;
  return Date.parse(local) - Math.floor(at / 1_000) * 1_000;
}
