import { formatMinor } from '../money.ts';
import type { Weekday } from '../recurrence.ts';
import type { Source } from '../source.ts';
import type { CountedBy, Hours, Requirement, Rule, RuleConditions, Window } from './policy.ts';

const SOURCE_WORDS: Readonly<Record<Source, string>> = {
  api: 'the API',
  file: 'a payout file',
  console: 'the console',
  schedule: 'a schedule',
};
const SUBJECT_WORDS: Readonly<Record<CountedBy, string>> = {
  wallet: 'from the same wallet',
  key: 'by the same key',
  person: 'by the same person',
  recipient: 'to the same number',
  operator: 'to the same operator',
};
const DAY_WORDS: Readonly<Record<Weekday, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

/** The rule as one sentence for people. */
export function describeRule({ when, require }: Rule): string {
  const conditions = describeConditions(when);
  const asked = describeRequirement(require);
  if (conditions.length === 0) return `Of every payout: ${asked}.`;
  return `If ${joinWords(conditions, 'and')}: ${asked}.`;
}

function describeConditions(when: RuleConditions): readonly string[] {
  const parts: (string | false)[] = [
    when.amountAtLeastMinor !== null &&
      `the amount is ${showAmount(when.amountAtLeastMinor)} or more`,
    when.amountBelowMinor !== null &&
      `the amount is less than ${showAmount(when.amountBelowMinor)}`,
    when.sum !== null &&
      `payouts ${SUBJECT_WORDS[when.sum.by]} ${showWindow(when.sum.window)} come to more than ${showAmount(when.sum.aboveMinor)}`,
    when.count !== null &&
      `there are more than ${showNumber(String(when.count.above))} payouts ${SUBJECT_WORDS[when.count.by]} ${showWindow(when.count.window)}`,
    when.firstPayment !== null &&
      (when.firstPayment ? 'the number was never paid before' : 'the number was paid before'),
    when.nameMatch !== null && `the name check says ${joinWords(when.nameMatch, 'or')}`,
    when.similarWithinMs !== null &&
      `the same number got the same amount ${showSeconds(when.similarWithinMs / 1_000)} before or less`,
    when.sources !== null &&
      `it comes from ${joinWords(
        when.sources.map((source) => SOURCE_WORDS[source]),
        'or',
      )}`,
    when.hours !== null && describeHours(when.hours),
    when.operators !== null && `the operator is ${joinWords(when.operators, 'or')}`,
    when.countries !== null && `the country is ${joinWords(when.countries, 'or')}`,
    when.wallets !== null && `the wallet is ${joinWords(when.wallets, 'or')}`,
    when.keys !== null && `the key is ${joinWords(when.keys, 'or')}`,
    when.metadata !== null && describeMetadata(when.metadata),
    when.onAllowList !== null && `the number is ${when.onAllowList ? '' : 'not '}on the allow list`,
  ];
  return parts.filter((part) => part !== false);
}

function describeMetadata(metadata: NonNullable<RuleConditions['metadata']>): string {
  return joinWords(
    metadata.map(({ key, values }) => `its ${key} is ${joinWords(values, 'or')}`),
    'and',
  );
}

function describeHours({ zone, days, fromMinute, toMinute }: Hours): string {
  const on =
    days.length === 7
      ? ''
      : ` of ${joinWords(
          days.map((day) => DAY_WORDS[day]),
          'or',
        )}`;
  const until = fromMinute > toMinute ? `${showClock(toMinute)} the next day` : showClock(toMinute);
  return `it is ordered or to be sent from ${showClock(fromMinute)}${on} to ${until} in ${zone}`;
}

function describeRequirement({ refuse, approvals, warn, screener }: Requirement): string {
  if (refuse) return 'refuse it';
  const parts: (string | false)[] = [
    approvals !== null &&
      `ask for ${approvals.count} ${approvals.count === 1 ? 'approval' : 'approvals'} by ${joinWords(
        approvals.of.map((role) => (role === 'owner' ? 'an owner' : 'an approver')),
        'or',
      )}`,
    screener !== null && `ask the screener ${screener}`,
    warn && 'warn',
  ];
  return joinWords(
    parts.filter((part) => part !== false),
    'and',
  );
}

function showWindow(window: Window): string {
  return window.kind === 'day' ? 'on one business day' : `within ${showSeconds(window.seconds)}`;
}

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** In the largest unit that is exact: 90 minutes, 7 days. */
function showSeconds(seconds: number): string {
  const [size, unit] = UNITS.find(([unitSeconds]) => seconds % unitSeconds === 0) ?? UNITS[3];
  const count = seconds / size;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function showClock(minute: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

function showAmount(minor: bigint): string {
  return showNumber(formatMinor(minor));
}

/** With commas between thousands. */
function showNumber(text: string): string {
  return text.replace(/\B(?=(?:\d{3})+(?:\.|$))/g, ',');
}

function joinWords(words: readonly string[], last: 'and' | 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${last} ${words[words.length - 1]}`;
}
