import type { Currency } from '../../domain/money.ts';
import type { Country } from '../../domain/operator.ts';
import type { CredentialCache } from '../credentials/credential-cache.ts';
import type { OperatorWire, WireAnswer } from '../wire/operator-wire.ts';
import { type SendWindow, windowOf } from '../wire/send-window.ts';
import type { WireRecord } from '../wire/wire-record.ts';
import { isUnauthorised } from './answers.ts';

/** With less time left than this, a request is not worth beginning. */
const WORTHWHILE_MS = 1_000;

export type CallDeps = Readonly<{
  wire: OperatorWire;
  token: CredentialCache;
  country: Country;
  currency: Currency;
  monotonicMs: () => number;
}>;

export type Call = SendWindow &
  Readonly<{
    path: string;
    /** Null: a question. */
    body: string | null;
    headers?: Readonly<Record<string, string>>;
    /** For all that is sent; the first token has its own time. */
    timeoutMs: number;
  }>;

export type CallAnswer =
  /** No token was to be had: the request was not even begun. */
  | Readonly<{ kind: 'unprepared'; cause: string }>
  /** `earlier`: requests that were refused for their token, so something did leave. */
  | Readonly<{ kind: 'sent'; answer: WireAnswer; earlier: readonly WireRecord[] }>;

/**
 * One business call. A token that is not taken is replaced, and the same request is sent once more
 * while there is time; whatever comes then is the answer.
 */
export async function callAirtel(deps: CallDeps, call: Call): Promise<CallAnswer> {
  const token = await deps.token.take();
  if (token.kind !== 'ready') return { kind: 'unprepared', cause: token.cause };
  const endsAtMs = deps.monotonicMs() + call.timeoutMs;
  const first = await send(deps, call, { token: token.value, timeoutMs: call.timeoutMs });
  if (!isUnauthorised(first)) return { kind: 'sent', answer: first, earlier: [] };
  deps.token.refused(token.value);
  const renewed = await deps.token.take();
  const timeoutMs = endsAtMs - deps.monotonicMs();
  if (renewed.kind !== 'ready' || timeoutMs < WORTHWHILE_MS) {
    return { kind: 'sent', answer: first, earlier: [] };
  }
  const second = await send(deps, call, { token: renewed.value, timeoutMs });
  return { kind: 'sent', answer: second, earlier: [first.record] };
}

function send(
  { wire, country, currency }: CallDeps,
  call: Call,
  { token, timeoutMs }: Readonly<{ token: string; timeoutMs: number }>,
): Promise<WireAnswer> {
  const { path, body, headers } = call;
  return wire.send({
    ...windowOf(call),
    method: body === null ? 'GET' : 'POST',
    path,
    headers: {
      authorization: `Bearer ${token}`,
      'x-country': country.toUpperCase(),
      'x-currency': currency,
      'content-type': 'application/json',
      accept: '*/*',
      ...headers,
    },
    body,
    timeoutMs,
  });
}
