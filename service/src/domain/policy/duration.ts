const UNIT_SECONDS = { week: 7 * 86_400, day: 86_400, hour: 3_600, minute: 60, second: 1 } as const;
/** More digits than any allowed duration has; so the sum stays exact. */
const PATTERN =
  /^P(?:(\d{1,9})W|(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?)$/;

/**
 * The seconds of an ISO 8601 duration such as `PT90M`, `P7D` or `P1DT12H`. Years and months are refused, because they
 * have no fixed length, and so are fractions.
 */
export function parseDuration(text: string): number | undefined {
  const parts = PATTERN.exec(text);
  if (parts === null || text === 'P') return undefined;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  return (
    weeks * UNIT_SECONDS.week +
    days * UNIT_SECONDS.day +
    hours * UNIT_SECONDS.hour +
    minutes * UNIT_SECONDS.minute +
    seconds * UNIT_SECONDS.second
  );
}

/** The shortest ISO 8601 duration of so many seconds, such as `PT90M` as `PT1H30M`. */
export function formatDuration(seconds: number): string {
  const { day, hour, minute } = UNIT_SECONDS;
  const days = Math.floor(seconds / day);
  const clock = [
    [Math.floor((seconds % day) / hour), 'H'],
    [Math.floor((seconds % hour) / minute), 'M'],
    [seconds % minute, 'S'],
  ] as const;
  const time = clock.map(([count, unit]) => (count === 0 ? '' : `${count}${unit}`)).join('');
  if (days === 0 && time === '') return 'PT0S';
  return `P${days === 0 ? '' : `${days}D`}${time === '' ? '' : `T${time}`}`;
}
