/** What became of a payout. */
export type Story =
  | 'paid'
  | 'paid slowly'
  | 'failed'
  | 'cancelled'
  | 'in doubt, then paid'
  | 'in doubt, then failed'
  | 'in doubt, decided by people'
  | 'in doubt'
  | 'in doubt, needs a person'
  | 'in doubt, proposed'
  | 'returned'
  | 'reversed by people'
  | 'failed, and paid after all'
  | 'paid, and reported otherwise';

const HOUR_MS = 3_600_000;
/** A doubt that is this old has had all its inquiries. */
const NEEDS_PERSON_AGE_MS = 80 * HOUR_MS;
const FAILED_EVERY = 50;
const SLOW_EVERY = 67;
const DOUBT_EVERY = 211;

/** Stories that are told once, and where in the three weeks: 0 is the beginning, 1 now. */
const TOLD_ONCE: readonly Readonly<{ story: Story; place: number }>[] = [
  { story: 'paid, and reported otherwise', place: 0.2 },
  { story: 'returned', place: 0.3 },
  { story: 'in doubt, then failed', place: 0.36 },
  { story: 'in doubt, decided by people', place: 0.45 },
  { story: 'reversed by people', place: 0.55 },
  { story: 'failed, and paid after all', place: 0.85 },
  ...[0.1, 0.25, 0.4, 0.6, 0.75, 0.95].map((place) => ({ story: 'cancelled', place }) as const),
];

/** How many payouts from the newest the open doubts are, and how old they may be: older ones need a person. */
const OPEN_DOUBTS_BACK = [1, 6, 14] as const;
const OPEN_DOUBT_AGE_MAX_MS = 60 * HOUR_MS;

/** Gives each payout its story; `times` are those of the payouts, oldest first. */
export function chooseStories(times: readonly Date[], now: Date): readonly Story[] {
  const stories = new Map<number, Story>();
  const tell = (story: Story, wanted: number): void => {
    let index = Math.max(0, wanted);
    while (stories.has(index) && index > 0) index -= 1;
    stories.set(index, story);
  };
  const countOlder = (ageMs: number): number =>
    times.filter((at) => now.getTime() - at.getTime() >= ageMs).length;
  const old = countOlder(NEEDS_PERSON_AGE_MS);
  tell('in doubt, needs a person', old - 1);
  tell('in doubt, proposed', old - 4);
  const young = times.length - countOlder(OPEN_DOUBT_AGE_MAX_MS);
  for (const [index, back] of OPEN_DOUBTS_BACK.entries()) {
    const within = young - (OPEN_DOUBTS_BACK.length - index);
    tell('in doubt', times.length - 1 - Math.min(back, within));
  }
  // By time and not by number: on a pay day, half of all payouts may be a few hours old.
  const spanMs = now.getTime() - (times[0] ?? now).getTime();
  for (const { story, place } of TOLD_ONCE) tell(story, countOlder(spanMs * (1 - place)) - 1);
  return times.map((_, index) => stories.get(index) ?? usualStory(index));
}

function usualStory(index: number): Story {
  if (index % FAILED_EVERY === 7) return 'failed';
  if (index % SLOW_EVERY === 13) return 'paid slowly';
  if (index % DOUBT_EVERY === 101) return 'in doubt, then paid';
  return 'paid';
}
