import type { Command } from 'commander';
import { readStatement } from '../administrators/read-statement.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import { holdRoutes, releaseRoutes } from '../resolutions/hold-routes.ts';
import { listRouteHolds } from '../resolutions/list-route-holds.ts';
import { type AdminDeps, type Answer, addCommand, type Perform } from './add-command.ts';
import { formatTable, formatTime } from './format-table.ts';
import { loadNamedRoutes, openRoutes } from './open-routes.ts';
import { asArgument } from './read-argument.ts';

const NEEDS_KEY = 'Needs your key in ADMIN_KEY, and ROUTES_FILE.';
const KNOWN_SOON = 'Every running process knows of it within a second.';

type HoldOptions = Readonly<{ reason: string; afterRestore?: true }>;

/** `routes hold`, `routes release` and `routes holds`. */
export function addHoldCommands(group: Command, perform: Perform): void {
  addCommand(group, {
    name: 'hold',
    description:
      'Send nothing on these routes until they are released. Transfers wait in the queue.',
    examples: [
      'routes hold zamtel-zm --reason "Zamtel pays twice, ticket 4711"',
      'routes hold --after-restore --reason "restored the backup of 15 November"',
    ],
    notes: `${NEEDS_KEY} Works without a running service. Queued transfers can be cancelled; what was sent is still asked about.`,
  })
    .argument('[name...]', 'routes, as the route file names them')
    .option(
      '--after-restore',
      'every route that could pay twice what the database has forgotten: see docs/runbooks/restore.md',
    )
    .requiredOption('--reason <text>', 'why, for the record', asArgument(readStatement))
    .action((names: string[], options: HoldOptions) =>
      perform((deps) => hold(deps, names, options)),
    );
  addCommand(group, {
    name: 'release',
    description: 'Send on these routes again, beginning with what waits.',
    examples: ['routes release zamtel-zm --reason "compared with the statement of 16 November"'],
    notes: 'Needs your key in ADMIN_KEY.',
  })
    .argument('<name...>', 'as shown by "routes holds"')
    .requiredOption('--reason <text>', 'why, for the record', asArgument(readStatement))
    .action((names: string[], { reason }: HoldOptions) =>
      perform((deps) => release(deps, names, reason)),
    );
  addCommand(group, {
    name: 'holds',
    description: 'List the routes that are held, by whom, why, and how many transfers wait.',
    examples: ['routes holds', 'routes holds --json'],
  }).action(() => perform(list));
}

async function hold(
  deps: AdminDeps,
  names: readonly string[],
  { reason, afterRestore }: HoldOptions,
): Promise<Answer> {
  const routes = await chooseRoutes(deps, names, afterRestore === true);
  if (routes.length === 0) {
    return {
      json: { held: [] },
      text: 'No route needs to be held: all recognise their own orders.',
    };
  }
  const by = await holdRoutes(deps, { routes, key: deps.env['ADMIN_KEY'], reason });
  return { json: { held: routes, by }, text: `Held by ${by}: ${routes.join(', ')}. ${KNOWN_SOON}` };
}

/** The routes that are meant. A misspelt name would hold nothing, so each must be in the file. */
async function chooseRoutes(
  deps: AdminDeps,
  names: readonly string[],
  afterRestore: boolean,
): Promise<readonly string[]> {
  if (afterRestore === names.length > 0) {
    throw new AdminRefused(
      'Which routes are meant is not clear.',
      'Name them, or give --after-restore and no name.',
    );
  }
  const configs = await loadNamedRoutes(deps);
  const unknown = names.filter((name) => !configs.some((config) => config.name === name));
  if (unknown.length > 0) {
    throw new AdminRefused(
      `The route file has no route ${unknown.join(', ')}.`,
      `It has: ${configs.map(({ name }) => name).join(', ')}.`,
    );
  }
  return afterRestore ? routesAtRisk(deps) : [...new Set(names)];
}

/**
 * Routes by which a forgotten order could be paid again: those whose operator does not recognise its own
 * orders, and those of a pair that has several, since an order that one of them paid may now go another way.
 */
async function routesAtRisk(deps: AdminDeps): Promise<readonly string[]> {
  const configs = await loadNamedRoutes(deps);
  const routes = await openRoutes(deps);
  try {
    return configs
      .filter(({ name, operator, country }) => {
        const ofPair = configs.filter(
          (one) => one.operator === operator && one.country === country,
        );
        const recognises = routes.named(name)?.connector.abilities.deduplicates === true;
        return !recognises || ofPair.length > 1;
      })
      .map(({ name }) => name);
  } finally {
    routes.close();
  }
}

async function release(
  deps: AdminDeps,
  routes: readonly string[],
  reason: string,
): Promise<Answer> {
  const by = await releaseRoutes(deps, { routes, key: deps.env['ADMIN_KEY'], reason });
  return {
    json: { released: routes, by },
    text: `Released by ${by}: ${routes.join(', ')}. ${KNOWN_SOON}`,
  };
}

async function list(deps: AdminDeps): Promise<Answer> {
  const holds = await listRouteHolds(deps.database);
  const json = { holds };
  if (holds.length === 0) return { json, text: 'No route is held.' };
  const titles = ['route', 'since', 'by', 'waiting', 'reason'];
  const table = formatTable(
    titles.map((title) => ({ title })),
    holds.map(({ route, heldAt, heldBy, queued, reason }) => [
      route,
      formatTime(heldAt),
      heldBy,
      String(queued),
      reason,
    ]),
  );
  return { json, text: table };
}
