type Parts = Readonly<
  Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'timeZoneName', string>
>;

/** To make one takes longer than to format a hundred times, and a list has a time in every row. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en', {
      timeZone,
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'shortOffset',
    });
    formats.set(timeZone, format);
  }
  return format;
}

let last: Readonly<{ atMs: number; timeZone: string; parts: Parts }> | undefined;

/** The last one is kept: a cell shows a time and has the exact one on hover, and rows of one second follow each other. */
function partsOf(at: Date, timeZone: string): Parts {
  const atMs = at.getTime();
  if (last !== undefined && last.atMs === atMs && last.timeZone === timeZone) return last.parts;
  const parts: Record<string, string> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(at)) parts[type] = value;
  last = { atMs, timeZone, parts: parts as Parts };
  return last.parts;
}

const MINUTE_MS = 60_000;
let today: Readonly<{ minute: number; timeZone: string; parts: Parts }> | undefined;

/** The day of the reader, found once a minute: days begin on a minute in every zone. */
function dayPartsOf(now: Date, timeZone: string): Parts {
  const minute = Math.floor(now.getTime() / MINUTE_MS);
  if (today === undefined || today.minute !== minute || today.timeZone !== timeZone) {
    today = { minute, timeZone, parts: partsOf(now, timeZone) };
  }
  return today.parts;
}

/** Today `14:32:05`, another day `28 Oct, 14:02`, another year `28 Oct 2025, 14:02`. */
export function formatTime(
  at: Date,
  { now, timeZone }: Readonly<{ now: Date; timeZone: string }>,
): string {
  const day = dayPartsOf(now, timeZone);
  const time = partsOf(at, timeZone);
  const isSameYear = time.year === day.year;
  if (isSameYear && time.month === day.month && time.day === day.day) {
    return `${time.hour}:${time.minute}:${time.second}`;
  }
  const year = isSameYear ? '' : ` ${time.year}`;
  return `${time.day} ${time.month}${year}, ${time.hour}:${time.minute}`;
}

export function formatClock(at: Date, timeZone: string): string {
  const { hour, minute, second } = partsOf(at, timeZone);
  return `${hour}:${minute}:${second}`;
}

/** `Friday 30 October 2026` */
export function formatDay(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full' })
    .format(at)
    .replace(',', '');
}

/** The exact instant in the reader's zone and in UTC, for hover and focus. */
export function formatExact(at: Date, timeZone: string): string {
  const { year, month, day, hour, minute, second } = partsOf(at, timeZone);
  const local = `${day} ${month} ${year}, ${hour}:${minute}:${second}`;
  return `${local} ${formatZone(timeZone, at)} (${at.toISOString()})`;
}

/** `Lusaka, UTC+2` */
export function formatZone(timeZone: string, at: Date): string {
  if (timeZone === 'UTC') return 'UTC';
  const city = timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? timeZone;
  return `${city}, ${partsOf(at, timeZone).timeZoneName.replace('GMT', 'UTC')}`;
}

export function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
