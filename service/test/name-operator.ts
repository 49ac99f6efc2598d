import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Account, NameAnswer } from '../src/operators/contract/connector.ts';
import type { RouteLimiter } from '../src/operators/limits/route-limiter.ts';
import type { Route, Routes } from '../src/operators/routes/route.ts';
import { createRoutes, NO_LIVE_ROUTES } from '../src/operators/routes/routes.ts';
import { createSandboxRoute } from '../src/operators/sandbox/sandbox-route.ts';
import type { Queryable } from '../src/postgres/database.ts';
import { type AccountNames, createAccountNames } from '../src/recipients/account-names.ts';

type Answer = (account: Account, asked: Readonly<{ waitedMs: number }>) => Promise<NameAnswer>;

type NamingRoute = Readonly<{
  name: string;
  answer: Answer;
  resolvesNames?: boolean;
  limiter?: RouteLimiter;
}>;

/** The routes of a service without live operators; the test sets the sandbox's clock. */
export function sandboxRoutes(now: () => Date, delayMs = 1_000): Routes {
  const sandbox = createSandboxRoute({ delayMs, now, wait });
  return createRoutes({ sandbox, live: NO_LIVE_ROUTES });
}

/** A live route to mtn in Zambia whose answers about names the test decides. */
export function namingRoutes(answer: Answer, { resolvesNames = true } = {}): Routes {
  return createNamingRoutes([{ name: 'mtn-zm', answer, resolvesNames }]);
}

/** Several live routes to mtn in Zambia, the preferred one first. */
export function createNamingRoutes(scripts: readonly NamingRoute[]): Routes {
  const sandbox = createSandboxRoute({ delayMs: 0, now: () => new Date(), wait });
  const list = scripts.map(
    ({ name, answer, resolvesNames = true, limiter = sandbox.limiter }): Route => ({
      ...sandbox,
      name,
      limiter,
      timeScale: 1,
      connector: {
        ...sandbox.connector,
        abilities: { ...sandbox.connector.abilities, resolvesNames },
        resolveName: answer,
      },
    }),
  );
  return createRoutes({
    sandbox,
    live: {
      ...NO_LIVE_ROUTES,
      list: ({ operator, country }) => (operator === 'mtn' && country === 'zm' ? list : []),
    },
  });
}

/** Name lookups as the service does them, over these routes. */
export function namesBy(
  routes: Routes,
  deps: Readonly<{
    database: Queryable;
    now?: () => Date;
    monotonicMs?: () => number;
    namesPerDayMax?: number;
  }>,
): AccountNames {
  return createAccountNames({
    routes,
    newId: randomUUID,
    now: () => new Date(),
    monotonicMs: () => performance.now(),
    namesPerDayMax: 0,
    ...deps,
  });
}
