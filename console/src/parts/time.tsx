import { useEffect, useState } from 'react';
import { usePreferences } from '../app/preferences.ts';
import { ageChangesAfterMs, formatAge } from '../format/format-age.ts';
import { formatExact, formatTime } from '../format/format-time.ts';

/** A time in the reader's zone, with the exact instant on hover and focus. */
export function Time({ at }: Readonly<{ at: string }>) {
  const { timeZone } = usePreferences();
  const date = new Date(at);
  return (
    <time dateTime={at} title={formatExact(date, timeZone)} className="nowrap">
      {formatTime(date, { now: new Date(), timeZone })}
    </time>
  );
}

/** How long ago. Changes by itself, never more often than its last digit. */
export function Age({ since }: Readonly<{ since: string }>) {
  const { timeZone } = usePreferences();
  const from = Date.parse(since);
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), ageChangesAfterMs(Date.now() - from));
    return () => clearTimeout(timer);
  });
  return (
    <time dateTime={since} title={formatExact(new Date(from), timeZone)} className="nowrap">
      {formatAge(now - from)}
    </time>
  );
}

export function Duration({ ms }: Readonly<{ ms: number }>) {
  return <span className="nowrap">{formatAge(ms)}</span>;
}
