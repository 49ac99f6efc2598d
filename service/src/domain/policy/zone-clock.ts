const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
/** Zones change their offset only at full quarters of an hour. */
const OFFSET_HOLDS_MS = 15 * MINUTE_MS;
/** The 1st of January 1970 was a Thursday; weekdays are counted from Monday. */
const FIRST_WEEKDAY = 3;

export type LocalMoment = Readonly<{
  /** 0: Monday. */
  weekday: number;
  /** Since midnight. */
  minute: number;
}>;

/** Whether the database of zones has this name, such as `Africa/Lusaka`. Offsets are not names. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The local time of one zone. Asking Intl takes microseconds, so the last answer is kept while it holds. */
export class ZoneClock {
  readonly #format: Intl.DateTimeFormat;
  #offsetFromMs = Number.NaN;
  #offsetMs = 0;

  constructor(zone: string) {
    this.#format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  }

  localMoment(at: Date): LocalMoment {
    const atMs = at.getTime();
    const localMinutes = Math.floor((atMs + this.#offsetAt(atMs)) / MINUTE_MS);
    const days = Math.floor(localMinutes / DAY_MINUTES);
    return {
      weekday: (((days + FIRST_WEEKDAY) % 7) + 7) % 7,
      minute: localMinutes - days * DAY_MINUTES,
    };
  }

  #offsetAt(atMs: number): number {
    const fromMs = Math.floor(atMs / OFFSET_HOLDS_MS) * OFFSET_HOLDS_MS;
    if (fromMs !== this.#offsetFromMs) {
      this.#offsetMs = readOffset(this.#format, fromMs);
      this.#offsetFromMs = fromMs;
    }
    return this.#offsetMs;
  }
}

function readOffset(format: Intl.DateTimeFormat, atMs: number): number {
  const name = format.formatToParts(atMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /^GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(name) ?? [];
  const offsetMinutes = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return (sign === '-' ? -offsetMinutes : offsetMinutes) * MINUTE_MS;
}
