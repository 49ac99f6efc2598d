import { BALANCE_FAULTS, type BalanceFault } from './balance-fault.ts';
import type { Behaviour } from './behaviour.ts';
import type { Throttle } from './call-limiter.ts';
import type { Rule, Seed } from './choose-behaviour.ts';
import type { OperatorCondition } from './operator-condition.ts';
import { isPresetName, PRESETS, type PresetName } from './presets.ts';
import { RETRY_AFTER_FORMS } from './retry-after.ts';
import type { Callback } from './send-callback.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The allowed values of each member of a behaviour; numbers are at least zero. */
const BEHAVIOUR_VALUES = {
  execute: ['once', 'never', 'twice', 'late'],
  lateMs: 'number',
  refusal: 'text or null',
  answer: [
    'normal',
    'hang',
    'http500',
    'http400',
    'html',
    'reset',
    'resetMidBody',
    'http429',
    'http503',
    'tokenExpired',
  ],
  retryAfterS: 'number',
  retryAfterAs: RETRY_AFTER_FORMS,
  remembersForMs: 'number',
  answerDelayMs: 'number',
  pendingMs: 'number',
  inquiry: ['normal', 'down', 'wrongAmount', 'wrongNumber', 'contradictory', 'alternating'],
  callback: ['once', 'none', 'twice', 'early', 'late', 'contradictory', 'forged', 'outOfOrder'],
} as const satisfies Record<keyof Behaviour, readonly string[] | 'number' | 'text or null'>;

export function readRules(body: unknown): readonly Rule[] {
  if (!Array.isArray(body)) throw new Error('rules are an array');
  return body.map((rule: unknown, index) => readRule(fieldsOf(rule, `rule ${index}`)));
}

function readRule(fields: Fields): Rule {
  only(fields, ['match', 'preset', 'behaviour', 'times']);
  const match = fieldsOf(fields['match'], 'match');
  only(match, ['msisdn', 'msisdnEndsIn']);
  const { msisdn, msisdnEndsIn } = match;
  return {
    match: {
      ...(msisdn === undefined ? {} : { msisdn: text(msisdn, 'msisdn') }),
      ...(msisdnEndsIn === undefined ? {} : { msisdnEndsIn: text(msisdnEndsIn, 'msisdnEndsIn') }),
    },
    ...(fields['preset'] === undefined ? {} : { preset: presetName(fields['preset']) }),
    ...(fields['behaviour'] === undefined ? {} : { behaviour: readBehaviour(fields['behaviour']) }),
    ...(fields['times'] === undefined ? {} : { times: atLeastZero(fields['times'], 'times') }),
  };
}

function readBehaviour(value: unknown): Partial<Behaviour> {
  const fields = fieldsOf(value, 'behaviour');
  if (!isPartialBehaviour(fields)) {
    throw new Error(`not a part of a behaviour; its members: ${JSON.stringify(BEHAVIOUR_VALUES)}`);
  }
  return fields;
}

function isPartialBehaviour(fields: Fields): fields is Partial<Behaviour> {
  const allowed: Readonly<Record<string, readonly string[] | string>> = BEHAVIOUR_VALUES;
  return Object.entries(fields).every(([name, value]) => {
    const values = Object.hasOwn(allowed, name) ? allowed[name] : undefined;
    if (values === 'number') return typeof value === 'number' && value >= 0;
    if (values === 'text or null') return value === null || typeof value === 'string';
    return typeof value === 'string' && Array.isArray(values) && values.includes(value);
  });
}

/** `null` removes the seed. */
export function readSeed(body: unknown): Seed | null {
  if (body === null) return null;
  const fields = fieldsOf(body, 'seed');
  only(fields, ['seed', 'mix']);
  const weights = Object.entries(fieldsOf(fields['mix'], 'mix')).map(
    ([name, weight]) => [presetName(name), atLeastZero(weight, name)] as const,
  );
  return { seed: atLeastZero(fields['seed'], 'seed'), mix: Object.fromEntries(weights) };
}

export function readCondition(body: unknown): OperatorCondition {
  const fields = fieldsOf(body, 'condition');
  only(fields, ['kind', 'delayMs']);
  const { kind, delayMs } = fields;
  if (kind === 'slow') return { kind, delayMs: atLeastZero(delayMs, 'delayMs') };
  if (kind === 'clear' || kind === 'down' || kind === 'hang') return { kind };
  throw new Error('condition is clear, down, hang or slow');
}

/** `null`: references are remembered for ever. */
export function readMemory(body: unknown): number {
  if (body === null) return Number.POSITIVE_INFINITY;
  const fields = fieldsOf(body, 'memory');
  only(fields, ['remembersForMs']);
  return atLeastZero(fields['remembersForMs'], 'remembersForMs');
}

/** `null` removes the throttle. */
export function readThrottle(body: unknown): Throttle | null {
  if (body === null) return null;
  const fields = fieldsOf(body, 'throttle');
  only(fields, ['on', 'status', 'retryAfterS', 'retryAfterAs', 'calls', 'forMs', 'takes']);
  const { on, status = 429, retryAfterS = 1, retryAfterAs = 'seconds', takes = false } = fields;
  const { calls = Number.POSITIVE_INFINITY, forMs = Number.POSITIVE_INFINITY } = fields;
  if (on !== 'submission' && on !== 'inquiry' && on !== 'both') {
    throw new Error('on is submission, inquiry or both');
  }
  if (status !== 429 && status !== 503) throw new Error('status is 429 or 503');
  const form = RETRY_AFTER_FORMS.find((known) => known === retryAfterAs);
  if (form === undefined) throw new Error(`retryAfterAs is ${RETRY_AFTER_FORMS.join(', ')}`);
  if (typeof takes !== 'boolean') throw new Error('takes is not true or false');
  return {
    on,
    status,
    retryAfterS: atLeastZero(retryAfterS, 'retryAfterS'),
    retryAfterAs: form,
    calls: atLeastZero(calls, 'calls'),
    forMs: atLeastZero(forMs, 'forMs'),
    takes,
  };
}

/** Body: `{"fault": "html"}`. */
export function readBalanceFault(body: unknown): BalanceFault {
  const fields = fieldsOf(body, 'balance');
  only(fields, ['fault']);
  const fault = BALANCE_FAULTS.find((known) => known === fields['fault']);
  if (fault === undefined) throw new Error(`fault is ${BALANCE_FAULTS.join(', ')}`);
  return fault;
}

export function readCallback(body: unknown): Callback {
  const fields = fieldsOf(body, 'callback');
  only(fields, ['url', 'method', 'headers', 'body']);
  const { method = 'POST', headers = {} } = fields;
  if (method !== 'POST' && method !== 'PUT') throw new Error('method is POST or PUT');
  const given = fields['body'] ?? '';
  return {
    url: text(fields['url'], 'url'),
    method,
    headers: Object.fromEntries(
      Object.entries(fieldsOf(headers, 'headers')).map(([name, value]) => [
        name,
        text(value, name),
      ]),
    ),
    // A string is sent unchanged, so that invalid JSON can be sent too.
    body: typeof given === 'string' ? given : JSON.stringify(given),
  };
}

function fieldsOf(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`${name} is not an object`);
  }
  return { ...value };
}

function only(fields: Fields, names: readonly string[]): void {
  const unknown = Object.keys(fields).filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}`);
}

function text(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new Error(`${name} is not text`);
  return value;
}

function atLeastZero(value: unknown, name: string): number {
  if (typeof value !== 'number' || value < 0)
    throw new Error(`${name} is not a number of at least zero`);
  return value;
}

function presetName(value: unknown): PresetName {
  if (typeof value === 'string' && isPresetName(value)) return value;
  throw new Error(`not one of the presets: ${Object.keys(PRESETS).join(', ')}`);
}
