import { isMetadataKey, isMetadataValue, METADATA_KEYS_MAX } from '../metadata.ts';
import { COUNTRIES, OPERATORS } from '../operator.ts';
import { SOURCES } from '../source.ts';
import { parseUuid } from '../uuid.ts';
import { DocumentObject, type DocumentProblems } from './document-reader.ts';
import { parseHours } from './parse-hours.ts';
import {
  AMOUNT_HELP,
  DURATION_HELP,
  readAmount,
  readBoolean,
  readInteger,
  readList,
  readSeconds,
  readTrue,
  readWords,
} from './parse-values.ts';
import {
  COUNT_ABOVE_MAX,
  COUNTED_BY,
  type CountedBy,
  LIST_LENGTH_MAX,
  NAME_WORDS,
  type RuleConditions,
  type Window,
} from './policy.ts';

const KNOWN = [
  'amountAtLeast',
  'amountBelow',
  'sum',
  'count',
  'firstPayment',
  'nameMatch',
  'similarWithin',
  'source',
  'hours',
  'operator',
  'country',
  'wallet',
  'key',
  'metadata',
  'onAllowList',
];
const WINDOW_KNOWN = ['by', 'day', 'window', 'above'];
const IDS_HELP = `Must be a list of 1 to ${LIST_LENGTH_MAX} ids (UUIDs), each once.`;
const BOOLEAN_HELP = 'Must be true or false.';

/** Undefined with problems where something is broken. */
export function parseConditions(
  value: unknown,
  path: string,
  problems: DocumentProblems,
): RuleConditions | undefined {
  const when = DocumentObject.open(value, { path, known: KNOWN, problems });
  if (when === undefined) return undefined;
  const within = when.read('similarWithin', readSeconds, DURATION_HELP);
  const conditions = {
    amountAtLeastMinor: when.read('amountAtLeast', readAmount, AMOUNT_HELP),
    amountBelowMinor: when.read('amountBelow', readAmount, AMOUNT_HELP),
    sum: parseSum(when),
    count: parseCount(when),
    firstPayment: when.read('firstPayment', readBoolean, BOOLEAN_HELP),
    nameMatch: readWordsOf(when, 'nameMatch', NAME_WORDS),
    similarWithinMs: typeof within === 'number' ? within * 1_000 : within,
    sources: readWordsOf(when, 'source', SOURCES),
    hours: parseHours(when),
    operators: readWordsOf(when, 'operator', OPERATORS),
    countries: readWordsOf(when, 'country', COUNTRIES),
    wallets: when.read('wallet', readList(readId), IDS_HELP),
    keys: when.read('key', readList(readId), IDS_HELP),
    metadata: parseMetadata(when),
    onAllowList: when.read('onAllowList', readBoolean, BOOLEAN_HELP),
  };
  refuseEmptyRange(when, conditions);
  return Object.values(conditions).includes(undefined) ? undefined : (conditions as RuleConditions);
}

function readWordsOf<Word extends string>(
  when: DocumentObject,
  name: string,
  words: readonly Word[],
): readonly Word[] | null | undefined {
  const help = `Must be a list of one or more of ${words.join(', ')}, each once.`;
  return when.read(name, readWords(words), help);
}

function readId(value: unknown): string | undefined {
  return typeof value === 'string' ? parseUuid(value) : undefined;
}

function refuseEmptyRange(
  when: DocumentObject,
  range: Readonly<{
    amountAtLeastMinor: bigint | null | undefined;
    amountBelowMinor: bigint | null | undefined;
  }>,
): void {
  const { amountAtLeastMinor: from, amountBelowMinor: below } = range;
  if (typeof from !== 'bigint' || typeof below !== 'bigint' || from < below) return;
  when.problem('amountBelow', 'Must be more than amountAtLeast, or no amount fits.');
}

function parseSum(when: DocumentObject): RuleConditions['sum'] | undefined {
  const sum = openWindow(when, 'sum');
  if (sum === null || sum === undefined) return sum;
  const { by, window } = parseWindow(sum);
  const aboveMinor = sum.required('above', readAmount, AMOUNT_HELP);
  if (by === undefined || window === undefined || aboveMinor === undefined) return undefined;
  return { by, window, aboveMinor };
}

function parseCount(when: DocumentObject): RuleConditions['count'] | undefined {
  const count = openWindow(when, 'count');
  if (count === null || count === undefined) return count;
  const { by, window } = parseWindow(count);
  const help = `Must be a whole number from 0 to ${COUNT_ABOVE_MAX}.`;
  const above = count.required('above', readInteger(0, COUNT_ABOVE_MAX), help);
  if (by === undefined || window === undefined || above === undefined) return undefined;
  return { by, window, above };
}

function openWindow(when: DocumentObject, name: string): DocumentObject | null | undefined {
  if (!when.has(name)) return null;
  const { problems } = when;
  return DocumentObject.open(when.value(name), {
    path: when.pathOf(name),
    known: WINDOW_KNOWN,
    problems,
  });
}

function parseWindow(asked: DocumentObject): {
  by: CountedBy | undefined;
  window: Window | undefined;
} {
  const by = asked.required(
    'by',
    (value) => COUNTED_BY.find((word) => word === value),
    `Must be one of ${COUNTED_BY.join(', ')}.`,
  );
  if (asked.has('day') && asked.has('window')) {
    asked.problem('window', 'Give either day or window, not both.');
    return { by, window: undefined };
  }
  if (asked.has('day')) {
    const help = 'Must be true: the business day of the country. Leave it out to give a window.';
    const isDay = asked.required('day', readTrue, help);
    return { by, window: isDay === undefined ? undefined : { kind: 'day' } };
  }
  const help = `${DURATION_HELP} Or give "day": true.`;
  const seconds = asked.required('window', readSeconds, help);
  return { by, window: seconds === undefined ? undefined : { kind: 'sliding', seconds } };
}

function parseMetadata(when: DocumentObject): RuleConditions['metadata'] | undefined {
  return when.read(
    'metadata',
    readMetadata,
    `Must be an object of 1 to ${METADATA_KEYS_MAX} keys, each with a text or a list of texts of at most 200 characters, such as {"team": ["payroll", "refunds"]}.`,
  );
}

function readMetadata(value: unknown): RuleConditions['metadata'] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value).map(([key, wanted]) => {
    const values = readList(readMetadataValue)(Array.isArray(wanted) ? wanted : [wanted]);
    return isMetadataKey(key) && values !== undefined ? { key, values } : undefined;
  });
  const read = entries.filter((entry) => entry !== undefined);
  const isWhole = read.length === entries.length && read.length > 0;
  return isWhole && read.length <= METADATA_KEYS_MAX ? read : undefined;
}

function readMetadataValue(value: unknown): string | undefined {
  return typeof value === 'string' && isMetadataValue(value) ? value : undefined;
}
