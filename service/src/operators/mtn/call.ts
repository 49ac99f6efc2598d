import type { ConnectorDeps } from '../contract/connector-kind.ts';
import { createOperatorWire, type WireAnswer } from '../wire/operator-wire.ts';
import type { WireRecord } from '../wire/wire-record.ts';
import { createMtnTokens } from './credentials.ts';
import { basicCredentials, type MtnRequest, tokenRequest } from './requests.ts';
import type { MtnTerms } from './settings.ts';

/** The result of a call. Without a token nothing was sent. */
export type MtnAnswer =
  /** `earlier`: the same request before, which MTN refused with 401. */
  (WireAnswer & Readonly<{ earlier?: WireRecord }>) | Readonly<{ kind: 'noToken'; cause: string }>;

export interface MtnClient {
  /** Takes at most `timeoutMs` plus the timeout of a token, repetitions included. */
  call(request: MtnRequest, timeoutMs: number): Promise<MtnAnswer>;
  close(): void;
}

/**
 * Calls MTN with a token. A call that MTN refuses with 401 is repeated once with a fresh token: MTN accepts a reference
 * only once, so even a payout can be repeated under its own reference.
 */
export function createMtnClient(
  terms: MtnTerms,
  deps: Pick<
    ConnectorDeps,
    'connectionsMax' | 'credentials' | 'monotonicMs' | 'newUuid' | 'timeouts'
  >,
): MtnClient {
  const { monotonicMs } = deps;
  const { tokenMs } = deps.timeouts;
  const lasting = [terms.subscriptionKey, terms.apiKey, basicCredentials(terms)];
  const wire = createOperatorWire({
    baseUrl: terms.baseUrl,
    connectionsMax: deps.connectionsMax,
    secrets: () => [...lasting, ...tokens.secrets()],
    monotonicMs,
  });
  const tokens = createMtnTokens({
    account: terms,
    fetch: () => wire.send(tokenRequest(terms, tokenMs)),
    credentials: deps.credentials,
    monotonicMs,
    newUuid: deps.newUuid,
  });

  const send = (request: MtnRequest, token: string, timeoutMs: number): Promise<WireAnswer> =>
    wire.send({ ...request, headers: authorised(request, terms, token), timeoutMs });

  return {
    async call(request, timeoutMs) {
      const endsAtMs = monotonicMs() + tokenMs + timeoutMs;
      const first = await tokens.take();
      if (first.kind !== 'ready') return { kind: 'noToken', cause: first.cause };
      const answer = await send(request, first.value, timeoutMs);
      if (answer.kind !== 'answered' || answer.status !== 401) return answer;
      if (endsAtMs - monotonicMs() < tokenMs) return answer;
      tokens.refused(first.value);
      const second = await tokens.take();
      const leftMs = Math.floor(endsAtMs - monotonicMs());
      if (second.kind !== 'ready' || leftMs < 1) return answer;
      const again = await send(request, second.value, Math.min(timeoutMs, leftMs));
      return { ...sentBefore(again), earlier: answer.record };
    },
    close: () => wire.close(),
  };
}

function authorised(
  request: MtnRequest,
  terms: MtnTerms,
  token: string,
): Readonly<Record<string, string>> {
  return {
    ...request.headers,
    authorization: `Bearer ${token}`,
    'x-target-environment': terms.targetEnvironment,
    'ocp-apim-subscription-key': terms.subscriptionKey,
  };
}

/** The first request was sent, even if its repetition was not. */
function sentBefore(answer: WireAnswer): WireAnswer {
  if (answer.kind !== 'notSent') return answer;
  return { ...answer, kind: 'lost', cause: `HTTP 401, and then ${answer.cause}` };
}
