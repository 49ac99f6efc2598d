import type { Currency } from '../../domain/money.ts';
import type { Country } from '../../domain/operator.ts';
import type { CredentialCache } from '../credentials/credential-cache.ts';
import type { OperatorWire, WireAnswer } from '../wire/operator-wire.ts';
import { type SendWindow, windowOf } from '../wire/send-window.ts';
import type { WireRecord } from '../wire/wire-record.ts';
import { isUnauthorised } from './answers.ts';

/** With less time left than this, no request is started. */
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
    /** Null for a GET. */
    body: string | null;
    headers?: Readonly<Record<string, string>>;
    /** For all requests of the call; fetching the first token has its own timeout. */
    timeoutMs: number;
  }>;

export type CallAnswer =
  /** There is no token: no request was started. */
  | Readonly<{ kind: 'unprepared'; cause: string }>
  /** `earlier`: requests that were refused for their token. They did leave this process. */
  | Readonly<{ kind: 'sent'; answer: WireAnswer; earlier: readonly WireRecord[] }>;

/**
 * Makes one business call. If the token is refused, it is replaced and the same request is sent once more while there
 * is time. The second answer counts, even if it refuses the token again.
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
