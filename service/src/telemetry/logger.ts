import pino from 'pino';
import { maskPhone } from '../domain/phone-number.ts';
import { describeError } from './describe-error.ts';
import { scrub } from './scrub.ts';

/**
 * The only fields that a log line may have. Everything else is dropped, even where the type checker was bypassed: a
 * field that was not considered here cannot carry a name, a narration or a key.
 */
const PLAIN_FIELDS = [
  'requestId',
  'method',
  'route',
  'status',
  'elapsedMs',
  'address',
  'cell',
  'bookId',
  'keyId',
  'personId',
  'merchantId',
  'walletId',
  'transferId',
  'recipientId',
  'scheduleId',
  'fileId',
  'operatorReference',
  'incident',
  'operator',
  'country',
  'mode',
  'state',
  'from',
  'to',
  'outcome',
  'attempt',
  'checks',
  'resubmissions',
  'doubt',
  'count',
  'size',
  'waiting',
  'retryInMs',
  'ageSeconds',
  'migration',
  'table',
  'host',
  'port',
  'consolePort',
  'pid',
  'signal',
  'version',
  'directory',
  'role',
  'event',
  'eventId',
  'suppressed',
] as const;

/** Written by people or operators: phone numbers and keys in them are masked. */
const FREE_TEXT_FIELDS = ['cause', 'reason', 'code'] as const;

type FieldName = (typeof PLAIN_FIELDS)[number] | (typeof FREE_TEXT_FIELDS)[number];
type FieldValue = string | number | boolean | null | undefined;

export type LogFields = Readonly<
  Partial<Record<FieldName, FieldValue>> & {
    err?: unknown;
    /** In E.164; only a masked form is written. */
    phone?: string;
  }
>;

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  /** Whether debug lines are written; for callers for which even collecting the fields would cost too much. */
  readonly writesDebug: boolean;
  /** Writes out what is still in memory. For the end of the process. */
  flush(): void;
}

export type LoggerOptions = Readonly<{
  level: LogLevel;
  /** Where lines go; standard output when absent. */
  destination?: Readonly<{ write(line: string): void }>;
}>;

/** The maximum of bytes that wait for a reader of our output; beyond it lines are dropped. */
const WAITING_BYTES_MAX = 4 * 1024 * 1024;
const FIELD_LENGTH_MAX = 500;
const STANDARD_OUTPUT = 1;

export function createLogger({ level, destination }: LoggerOptions): Logger {
  // Asynchronous: a slow reader of our output must not delay a request.
  const output = destination === undefined ? openStandardOutput() : undefined;
  const writer = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: keepAllowed },
      // The formatter above has already described errors; pino's own serializer would add every property.
      serializers: { err: (described: unknown) => described },
    },
    destination ?? output ?? process.stdout,
  );
  return {
    debug: (fields, message) => writer.debug(fields, scrub(message)),
    info: (fields, message) => writer.info(fields, scrub(message)),
    warn: (fields, message) => writer.warn(fields, scrub(message)),
    error: (fields, message) => writer.error(fields, scrub(message)),
    writesDebug: writer.isLevelEnabled('debug'),
    flush: () => output?.flushSync(),
  };
}

function openStandardOutput() {
  const output = pino.destination({
    dest: STANDARD_OUTPUT,
    sync: false,
    maxLength: WAITING_BYTES_MAX,
  });
  // The reader of our output has gone: that is no reason to stop paying.
  output.on('error', () => undefined);
  return output;
}

const PLAIN: ReadonlySet<string> = new Set(PLAIN_FIELDS);
const FREE_TEXT: ReadonlySet<string> = new Set(FREE_TEXT_FIELDS);

function keepAllowed(fields: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  const dropped: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (name === 'err') kept.err = describeError(value);
    else if (name === 'phone') kept.phone = maskPhone(asText(value));
    else if (PLAIN.has(name)) kept[name] = plain(value);
    else if (FREE_TEXT.has(name)) kept[name] = scrub(asText(value)).slice(0, FIELD_LENGTH_MAX);
    else dropped.push(name.slice(0, FIELD_LENGTH_MAX));
  }
  // Only the names, so that a reader who misses a field learns why.
  if (dropped.length > 0) kept.droppedFields = dropped;
  return kept;
}

function plain(value: unknown): FieldValue {
  if (typeof value === 'string') return value.slice(0, FIELD_LENGTH_MAX);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  return typeof value === 'bigint' ? value.toString() : `[${typeof value}]`;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : `[${typeof value}]`;
}
