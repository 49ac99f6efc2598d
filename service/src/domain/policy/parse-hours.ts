import { WEEKDAYS } from '../recurrence.ts';
import { DocumentObject } from './document-reader.ts';
import { readWords } from './parse-values.ts';
import { type Hours } from './policy.ts';
import { isZone } from './zone-clock.ts';

const KNOWN = ['zone', 'days', 'from', 'to'];
const CLOCK_HELP = 'Must be a time of day from "00:00" to "23:59"; the end may be "24:00".';
const END_OF_DAY = 24 * 60;

/** Null where the conditions have no hours. */
export function parseHours(when: DocumentObject): Hours | null | undefined {
  if (!when.has('hours')) return null;
  const hours = DocumentObject.open(when.value('hours'), {
    path: when.pathOf('hours'),
    known: KNOWN,
    problems: when.problems,
  });
  if (hours === undefined) return undefined;
  const zoneHelp = 'Must be the name of a time zone, such as "Africa/Lusaka".';
  const zone = hours.required('zone', readZone, zoneHelp);
  const daysHelp = `Must be a list of one or more of ${WEEKDAYS.join(', ')}, each once. Without it: every day.`;
  const days = hours.read('days', readWords(WEEKDAYS), daysHelp);
  // Days alone mean the whole of each.
  const isWholeDay = hours.has('days') && !hours.has('from') && !hours.has('to');
  const fromMinute = isWholeDay ? 0 : hours.required('from', readStart, CLOCK_HELP);
  const toMinute = isWholeDay ? END_OF_DAY : hours.required('to', readMinute, CLOCK_HELP);
  if (fromMinute !== undefined && fromMinute === toMinute) {
    return hours.problem('to', 'Must differ from "from". For the whole day use 00:00 to 24:00.');
  }
  if (zone === undefined || days === undefined) return undefined;
  if (fromMinute === undefined || toMinute === undefined) return undefined;
  return { zone, days: days ?? WEEKDAYS, fromMinute, toMinute };
}

function readZone(value: unknown): string | undefined {
  return typeof value === 'string' && isZone(value) ? value : undefined;
}

function readStart(value: unknown): number | undefined {
  const minute = readMinute(value);
  return minute === END_OF_DAY ? undefined : minute;
}

function readMinute(value: unknown): number | undefined {
  if (value === '24:00') return END_OF_DAY;
  const parts = typeof value === 'string' ? /^([01]\d|2[0-3]):([0-5]\d)$/.exec(value) : null;
  return parts === null ? undefined : Number(parts[1]) * 60 + Number(parts[2]);
}
