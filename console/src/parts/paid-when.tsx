import { usePreferences } from '../app/preferences.ts';
import { formatZone } from '../format/format-time.ts';
import { useHalfTyped } from './half-typed.tsx';
import { Time } from './time.tsx';

type Given = Readonly<{
  /** The instant; undefined: at once. */
  at: string | undefined;
  /** "Paid at", before the time. */
  lead: string;
  atOnce: string;
}>;

/** In words when money leaves, for the `Says` box. Nothing is said while the time is half typed. */
export function PaidWhen({ at, lead, atOnce }: Given) {
  const { timeZone } = usePreferences();
  if (useHalfTyped() !== undefined) return null;
  if (at === undefined) return <p>{atOnce}</p>;
  return (
    <p>
      {lead} <Time at={at} /> ({formatZone(timeZone, new Date(at))})
    </p>
  );
}
