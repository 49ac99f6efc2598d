import { textAt } from '../wire/exact-json.ts';
import type { WireAnswer } from '../wire/operator-wire.ts';

/** MTN advises so; a token whose whole life is short is renewed at half of it. */
const REFRESH_BEFORE_EXPIRY_MS = 600_000;
/** While the old token is still good, a refresh that failed is not tried again sooner. */
const REFRESH_PAUSE_MS = 1_000;
/** What MTN documents, for an answer that does not say. */
const LIFETIME_S = 3_600;

/** A JWT of some hundred characters that must fit into a header. */
const TOKEN = /^[!-~]{1,8192}$/;
const SECONDS = /^[0-9]{1,9}$/;

export type TokenAnswer =
  | Readonly<{ kind: 'token'; token: string }>
  | Readonly<{ kind: 'none'; cause: string }>;

export interface MtnTokens {
  take(): Promise<TokenAnswer>;
  /** Another token than the one that MTN has just refused. */
  renew(refused: string): Promise<TokenAnswer>;
  /** Those that an answer under way may still repeat. */
  known(): readonly string[];
}

type Held = Readonly<{ token: string; refreshAtMs: number; expiresAtMs: number }>;

/**
 * The bearer token of one API user. Whoever needs it while it is being fetched waits for the same
 * answer, and a good one is used on while its successor is fetched.
 */
export function createMtnTokens(
  deps: Readonly<{ fetch: () => Promise<WireAnswer>; monotonicMs: () => number }>,
): MtnTokens {
  let held: Held | undefined;
  let previous: string | undefined;
  let fetching: Promise<TokenAnswer> | undefined;
  let pausedUntilMs = 0;

  async function fetchToken(): Promise<TokenAnswer> {
    const askedAtMs = deps.monotonicMs();
    const read = readToken(await deps.fetch());
    fetching = undefined;
    if ('cause' in read) {
      pausedUntilMs = deps.monotonicMs() + REFRESH_PAUSE_MS;
      return { kind: 'none', cause: `no token: ${read.cause}` };
    }
    const earlyMs = Math.min(REFRESH_BEFORE_EXPIRY_MS, read.lifetimeMs / 2);
    const expiresAtMs = askedAtMs + read.lifetimeMs;
    if (held !== undefined) previous = held.token;
    held = { token: read.token, refreshAtMs: expiresAtMs - earlyMs, expiresAtMs };
    return { kind: 'token', token: read.token };
  }

  function refresh(): Promise<TokenAnswer> {
    fetching ??= fetchToken();
    return fetching;
  }

  return {
    async take() {
      const nowMs = deps.monotonicMs();
      if (held === undefined || nowMs >= held.expiresAtMs) return refresh();
      if (nowMs >= held.refreshAtMs && nowMs >= pausedUntilMs) void refresh();
      return { kind: 'token', token: held.token };
    },
    async renew(refused) {
      if (held?.token === refused) {
        previous = held.token;
        held = undefined;
      }
      return held === undefined ? refresh() : { kind: 'token', token: held.token };
    },
    known: () => [held?.token, previous].filter((token) => token !== undefined),
  };
}

type ReadToken = Readonly<{ token: string; lifetimeMs: number }> | Readonly<{ cause: string }>;

/** MTN's firewall answers some requests with 200 and a page in HTML, so the body decides. */
function readToken(answer: WireAnswer): ReadToken {
  if (answer.kind !== 'answered') return { cause: answer.cause };
  if (answer.status !== 200) return { cause: `HTTP ${answer.status}` };
  const token = textAt(answer.json, 'access_token');
  if (token === undefined || !TOKEN.test(token)) return { cause: 'HTTP 200 without a token in it' };
  const seconds = textAt(answer.json, 'expires_in') ?? '';
  return { token, lifetimeMs: (SECONDS.test(seconds) ? Number(seconds) : LIFETIME_S) * 1_000 };
}
