import type { Account, Connector, NameAnswer } from '../operators/contract/connector.ts';
import type { Route } from '../operators/routes/route.ts';

/** About 300 bytes each: a few megabytes at most. */
export const NAMES_KNOWN_MAX = 10_000;
/** People keep their numbers for years, and forms are filled in within minutes. */
export const RESOLVED_AGE_MAX_MS = 600_000;
/** A person without an account may open one and try again. */
export const NO_ACCOUNT_AGE_MAX_MS = 60_000;

/** The answers worth remembering: an operator that could not be reached may be reachable the next time. */
type Settled = Exclude<NameAnswer, { kind: 'unreachable' }>;

type LookupKey = Readonly<{ route: Route; account: Account }>;

/** A lookup under way to an operator. */
type SentLookup = Readonly<{
  answer: Promise<NameAnswer>;
  /** It was already under way for another caller. */
  isShared: boolean;
}>;

/** Recent answers of operators, and the lookups under way. */
export type KnownNames = Readonly<{
  find(about: LookupKey): Settled | undefined;
  /**
   * Joins the lookup that is under way, or sends it. `send` returns undefined when it may not, and then this does too.
   */
  ask(about: LookupKey, send: () => Promise<NameAnswer> | undefined): SentLookup | undefined;
}>;

/**
 * For the sandbox, which is asked each time: its answer depends on how long the caller has waited, so answers are not
 * shared between callers.
 */
export const NOTHING_KNOWN: KnownNames = {
  find: () => undefined,
  ask(_, send) {
    const answer = send();
    return answer && { answer, isShared: false };
  },
};

/** Both lists belong to a connector: after a reload the route has another one, which may answer differently. */
type Remembered = Readonly<{ connector: Connector; answer: Settled; endsAtMs: number }>;
type UnderWay = Readonly<{ connector: Connector; answer: Promise<NameAnswer> }>;

export function createKnownNames({
  monotonicMs,
}: Readonly<{ monotonicMs: () => number }>): KnownNames {
  /** The least recently used first. */
  const remembered = new Map<string, Remembered>();
  /** Limited by the routes' allowances: no more lookups are sent than they allow. */
  const underWay = new Map<string, UnderWay>();

  function remember(key: string, connector: Connector, answer: NameAnswer): void {
    if (answer.kind === 'unreachable') return;
    const ageMaxMs = answer.kind === 'resolved' ? RESOLVED_AGE_MAX_MS : NO_ACCOUNT_AGE_MAX_MS;
    remembered.delete(key);
    remembered.set(key, { connector, answer, endsAtMs: monotonicMs() + ageMaxMs });
    if (remembered.size <= NAMES_KNOWN_MAX) return;
    const [oldest] = remembered.keys();
    if (oldest !== undefined) remembered.delete(oldest);
  }

  return {
    find(about) {
      const key = keyOf(about);
      const known = remembered.get(key);
      if (known === undefined) return undefined;
      remembered.delete(key);
      if (known.connector !== about.route.connector || known.endsAtMs <= monotonicMs()) {
        return undefined;
      }
      remembered.set(key, known);
      return known.answer;
    },
    ask(about, send) {
      const key = keyOf(about);
      const { connector } = about.route;
      const running = underWay.get(key);
      if (running?.connector === connector) return { answer: running.answer, isShared: true };
      const sent = send();
      if (sent === undefined) return undefined;
      const entry: UnderWay = {
        connector,
        answer: sent
          .then((answer) => {
            remember(key, connector, answer);
            return answer;
          })
          .finally(() => {
            if (underWay.get(key) === entry) underWay.delete(key);
          }),
      };
      underWay.set(key, entry);
      return { answer: entry.answer, isShared: false };
    },
  };
}

function keyOf({ route, account }: LookupKey): string {
  return `${route.name} ${account.operator} ${account.country} ${account.phone}`;
}
