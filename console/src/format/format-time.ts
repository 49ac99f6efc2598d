type Parts = Readonly<Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', string>>;

const formats = new Map<string, Intl.DateTimeFormat>();

function partsOf(at: Date, timeZone: string): Parts {
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
    });
    formats.set(timeZone, format);
  }
  return Object.fromEntries(
    format.formatToParts(at).map(({ type, value }) => [type, value]),
  ) as Parts;
}

/** Today `14:32:05`, another day `28 Oct, 14:02`, another year `28 Oct 2025, 14:02`. */
export function formatTime(
  at: Date,
  { now, timeZone }: Readonly<{ now: Date; timeZone: string }>,
): string {
  const time = partsOf(at, timeZone);
  const today = partsOf(now, timeZone);
  const isSameYear = time.year === today.year;
  if (isSameYear && time.month === today.month && time.day === today.day) {
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
  const offset = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value;
  return `${city}, ${(offset ?? 'UTC').replace('GMT', 'UTC')}`;
}

export function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
