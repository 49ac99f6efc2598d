import { setTimeout as wait } from 'node:timers/promises';
import type { Account, NameAnswer, Route, Routes } from '../src/operators/connector.ts';
import { createRoutes, NO_LIVE_ROUTES } from '../src/operators/routes.ts';
import { createSandboxRoute } from '../src/operators/sandbox/sandbox-route.ts';

/** Routes as a service without live operators has them; the sandbox's time is the test's. */
export function sandboxRoutes(now: () => Date, delayMs = 1_000): Routes {
  const sandbox = createSandboxRoute({ delayMs, now, wait });
  return createRoutes({ sandbox, live: NO_LIVE_ROUTES });
}

/** A live route at mtn in Zambia to an operator whose answers about names the test decides. */
export function namingRoutes(
  answer: (account: Account, asked: Readonly<{ waitedMs: number }>) => Promise<NameAnswer>,
  { resolvesNames = true } = {},
): Routes {
  const sandbox = createSandboxRoute({ delayMs: 0, now: () => new Date(), wait });
  const route: Route = {
    ...sandbox,
    pace: 1,
    connector: {
      ...sandbox.connector,
      abilities: { ...sandbox.connector.abilities, resolvesNames },
      resolveName: answer,
    },
  };
  return createRoutes({
    sandbox,
    live: {
      ...NO_LIVE_ROUTES,
      list: ({ operator, country }) => (operator === 'mtn' && country === 'zm' ? [route] : []),
    },
  });
}
