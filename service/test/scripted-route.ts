import type { Outcome } from '../src/domain/outcome.ts';
import type { Connector, Payout, Route, Routes } from '../src/operators/connector.ts';

export type ScriptedRoute = Readonly<{
  routes: Routes;
  /** What reached the operator, in order. */
  calls: readonly Readonly<{ call: 'submit' | 'inquire'; operatorReference: string }>[];
}>;

type Script = Readonly<{
  submit?: (payout: Payout) => Promise<Outcome> | Outcome;
  inquire?: (payout: Payout) => Promise<Outcome> | Outcome;
  abilities?: Partial<Connector['abilities']>;
}>;

const UNKNOWN: Outcome = { kind: 'unknown', cause: 'not in the script' };

/** An operator that answers as the test says and remembers what it was asked. */
export function scriptRoute(script: Script): ScriptedRoute {
  const calls: { call: 'submit' | 'inquire'; operatorReference: string }[] = [];
  const connector: Connector = {
    abilities: {
      deduplicates: true,
      inquires: true,
      notFoundIsFinal: false,
      resolvesNames: false,
      ...script.abilities,
    },
    async submit(payout) {
      calls.push({ call: 'submit', operatorReference: payout.operatorReference });
      return (await script.submit?.(payout)) ?? UNKNOWN;
    },
    async inquire(payout) {
      calls.push({ call: 'inquire', operatorReference: payout.operatorReference });
      return (await script.inquire?.(payout)) ?? UNKNOWN;
    },
    resolveName: async () => ({ kind: 'unreachable', cause: 'not in the script' }),
  };
  const route: Route = {
    name: 'scripted',
    connector,
    bounds: { minMinor: 1n, maxMinor: 1_000_000n, decimals: 2 },
    pace: 0.01,
    health: () => 'up',
    closedForMs: () => 0,
  };
  return { routes: { find: () => route }, calls };
}
