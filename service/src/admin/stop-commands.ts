import type { Command } from 'commander';
import { readStatement } from '../administrators/read-statement.ts';
import { harmless } from '../domain/harmless-text.ts';
import { listRouteStops, type RouteStop } from '../resolutions/list-route-stops.ts';
import { type StopEffect, startRoutes, stopRoutes } from '../resolutions/stop-routes.ts';
import { type AdminDeps, type Answer, addCommand, type Perform } from './add-command.ts';
import { requireAdministrator } from './authenticate-actor.ts';
import { CommandRefused } from './command-refused.ts';
import { formatTable, formatTime } from './format-table.ts';
import { withUnanswered } from './in-cell.ts';
import { loadNamedRoutes, openRoutes } from './open-routes.ts';
import { asArgument } from './read-argument.ts';

const NEEDS_KEY = 'Needs your key in ADMIN_KEY, and ROUTES_FILE.';
const KNOWN_SOON = 'Every running process knows of it within a second.';
const STILL =
  'Works without a running service. Queued transfers can be cancelled; the service still inquires about sent ones.';

type Reason = Readonly<{ reason: string }>;

/** `routes list`, and what stops and starts routes: `close` and `open`, `hold` and `release`. */
export function addStopCommands(group: Command, perform: Perform): void {
  addCommand(group, {
    name: 'list',
    description: 'List routes: state, reason, and how many transfers wait',
    examples: ['routes list', 'routes list --json'],
    notes: 'Without ROUTES_FILE only routes that are closed or held are known here.',
  }).action(() => perform(list));
  addClose(group, perform);
  addHold(group, perform);
}

function addClose(group: Command, perform: Perform): void {
  addReason(
    addCommand(group, {
      name: 'close',
      description: 'Close routes: other routes of the operator take over',
      examples: ['routes close mtn-zm --reason "MTN maintenance until 06:00"'],
      notes: `Nothing is sent on a closed route until it is opened. Transfers without another open route wait in the queue.
${NEEDS_KEY} ${STILL}`,
    }).argument('<name...>', 'routes, as the route file names them'),
  ).action((names: string[], { reason }: Reason) =>
    perform(async (deps) =>
      stop(deps, await checkNames(deps, names), { effect: 'closed', reason }),
    ),
  );
  addReason(
    addCommand(group, {
      name: 'open',
      description: 'Open closed routes again',
      examples: ['routes open mtn-zm --reason "MTN says that it is back"'],
      notes: 'Needs your key in ADMIN_KEY.',
    }).argument('<name...>', 'as shown by "routes list"'),
  ).action((names: string[], { reason }: Reason) =>
    perform((deps) => start(deps, names, { effect: 'closed', reason })),
  );
}

function addHold(group: Command, perform: Perform): void {
  addReason(
    addCommand(group, {
      name: 'hold',
      description: 'Hold routes: their transfers wait in the queue',
      examples: [
        'routes hold zamtel-zm --reason "Zamtel pays twice, ticket 4711"',
        'routes hold --after-restore --reason "restored the backup of 15 November"',
      ],
      notes: `Nothing is sent on a held route until it is released. Transfers wait for this route and take no other.
${NEEDS_KEY} ${STILL}`,
    })
      .argument('[name...]', 'routes, as the route file names them')
      .option(
        '--after-restore',
        'every route that could pay twice what the database has forgotten: see docs/runbooks/restore.md',
      ),
  ).action((names: string[], options: Reason & Readonly<{ afterRestore?: true }>) =>
    perform(async (deps) => {
      const routes = await chooseRoutes(deps, names, options.afterRestore === true);
      return stop(deps, routes, { effect: 'held', reason: options.reason });
    }),
  );
  addReason(
    addCommand(group, {
      name: 'release',
      description: 'Release held routes',
      examples: ['routes release zamtel-zm --reason "compared with the statement of 16 November"'],
      notes: 'Needs your key in ADMIN_KEY.',
    }).argument('<name...>', 'as shown by "routes list"'),
  ).action((names: string[], { reason }: Reason) =>
    perform((deps) => start(deps, names, { effect: 'held', reason })),
  );
}

function addReason(command: Command): Command {
  return command.requiredOption(
    '--reason <text>',
    'why, for the record',
    asArgument(readStatement),
  );
}

type Stop = Reason & Readonly<{ effect: StopEffect }>;

async function stop(
  deps: AdminDeps,
  routes: readonly string[],
  { effect, reason }: Stop,
): Promise<Answer> {
  if (routes.length === 0) {
    return {
      json: { [effect]: [] },
      text: 'No route needs to be held: all recognise their own orders.',
    };
  }
  const actor = await requireAdministrator(deps);
  await stopRoutes(deps, { actor, routes, effect, reason });
  const done = effect === 'held' ? 'Held' : 'Closed';
  return {
    json: { [effect]: routes, by: actor.name },
    text: `${done} by ${actor.name}: ${routes.join(', ')}. ${KNOWN_SOON}`,
  };
}

async function start(
  deps: AdminDeps,
  routes: readonly string[],
  { effect, reason }: Stop,
): Promise<Answer> {
  const actor = await requireAdministrator(deps);
  await startRoutes(deps, { actor, routes, effect, reason });
  const word = effect === 'held' ? 'released' : 'opened';
  const done = effect === 'held' ? 'Released' : 'Opened';
  return {
    json: { [word]: routes, by: actor.name },
    text: `${done} by ${actor.name}: ${routes.join(', ')}. ${KNOWN_SOON}`,
  };
}

/** The routes that are meant. */
async function chooseRoutes(
  deps: AdminDeps,
  names: readonly string[],
  afterRestore: boolean,
): Promise<readonly string[]> {
  if (afterRestore === names.length > 0) {
    throw new CommandRefused(
      'Which routes are meant is not clear.',
      'Name them, or give --after-restore and no name.',
    );
  }
  const named = await checkNames(deps, names);
  return afterRestore ? routesAtRisk(deps) : named;
}

/** A misspelt name would stop nothing, so each must be in the file. */
async function checkNames(deps: AdminDeps, names: readonly string[]): Promise<readonly string[]> {
  const configs = await loadNamedRoutes(deps);
  const unknown = names.filter((name) => !configs.some((config) => config.name === name));
  if (unknown.length > 0) {
    throw new CommandRefused(
      `The route file has no route ${unknown.join(', ')}.`,
      `It has: ${configs.map(({ name }) => name).join(', ')}.`,
    );
  }
  return [...new Set(names)];
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

type ListedRoute = Readonly<{
  route: string;
  pair: string | null;
  standing: 'open' | StopEffect;
  stop: RouteStop | null;
}>;

async function list(deps: AdminDeps): Promise<Answer> {
  const { routes, unansweredCells } = await listRoutes(deps);
  const json = {
    unansweredCells,
    routes: routes.map(({ route, pair, standing, stop }) => ({
      route,
      pair,
      standing,
      since: stop?.since ?? null,
      by: stop?.by ?? null,
      reason: stop?.reason ?? null,
      queued: stop?.queued ?? null,
    })),
  };
  if (routes.length === 0) return { json, text: 'No route is closed or held.' };
  const titles = ['route', 'pair', 'standing', 'since', 'by', 'waiting', 'reason'];
  const table = formatTable(
    titles.map((title) => ({ title })),
    routes.map(({ route, pair, standing, stop }) => [
      route,
      pair ?? '-',
      standing,
      formatTime(stop?.since ?? null),
      stop?.by ?? '-',
      stop === null ? '-' : String(stop.queued),
      harmless(stop?.reason ?? '-'),
    ]),
  );
  return { json, text: withUnanswered(table, unansweredCells) };
}

/** Routes of the route file, and stopped routes that are no longer in it. */
async function listRoutes(
  deps: AdminDeps,
): Promise<Readonly<{ routes: readonly ListedRoute[]; unansweredCells: readonly string[] }>> {
  const { stops, unansweredCells } = await listRouteStops(deps);
  const configs = (deps.env['ROUTES_FILE'] ?? '') === '' ? [] : await loadNamedRoutes(deps);
  const listed = configs.map(({ name, operator, country }) => {
    const stop = stops.find(({ route }) => route === name) ?? null;
    const pair = `${operator} ${country}`;
    return { route: name, pair, standing: stop?.effect ?? ('open' as const), stop };
  });
  const others = stops.filter(({ route }) => !configs.some(({ name }) => name === route));
  const routes = [
    ...listed,
    ...others.map((stop) => ({ route: stop.route, pair: null, standing: stop.effect, stop })),
  ];
  return { routes, unansweredCells };
}
