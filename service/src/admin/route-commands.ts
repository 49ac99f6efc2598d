import type { Command } from 'commander';
import type { Country } from '../domain/operator.ts';
import { parsePhone } from '../domain/phone-number.ts';
import type { RouteConfig } from '../operators/route-file/read-routes.ts';
import { checkRoute, type RouteCheck } from '../operators/routes/check-route.ts';
import {
  type AdminDeps,
  type Answer,
  addCommand,
  addGroup,
  type Perform,
  type PerformAlone,
} from './add-command.ts';
import { CommandRefused } from './command-refused.ts';
import { formatTable } from './format-table.ts';
import { loadNamedRoutes, openRoutes } from './open-routes.ts';
import { showFloats } from './show-floats.ts';
import { addStopCommands } from './stop-commands.ts';

/** Numbers that are valid in their country; looking up whose they are does no harm. */
const SAMPLE_PHONES: Readonly<Record<Country, string>> = {
  zm: '+260977433571',
  ng: '+2348031234567',
};

type Options = Readonly<{ phone?: string }>;

export function addRouteCommands(
  program: Command,
  { perform, performAlone }: Readonly<{ perform: Perform; performAlone: PerformAlone }>,
): void {
  const group = addGroup(program, {
    name: 'routes',
    description: 'Check, list, close and hold routes to operators',
  });
  addCommand(group, {
    name: 'check',
    description: 'Check access, balance and name lookup of every route',
    examples: ['routes check', 'routes check --phone +260977433571 --json'],
    notes: 'Moves no money. Exit code 1 when a route does not work, 78 when the file has mistakes.',
  })
    .option('--phone <number>', 'whose name to ask for, instead of a made-up number')
    .action((options: Options) => performAlone((deps) => check(deps, options)));
  addCommand(group, {
    name: 'float',
    description: 'Show what accounts with operators hold, and for how long',
    examples: ['routes float', 'routes float --json'],
    notes:
      'By our own books, and as operators say. As the running service last learnt it; asks no operator.',
  }).action(() => perform(showFloats));
  addStopCommands(group, perform);
}

async function check(
  deps: Omit<AdminDeps, 'directory' | 'cells'>,
  options: Options,
): Promise<Answer> {
  const configs = await loadNamedRoutes(deps);
  refuseForeignPhone(configs, options);
  const routes = await openRoutes(deps);
  deps.showProgress(`Asking ${configs.length} operators`);
  const checks = await Promise.all(
    configs.map(async (config) => {
      const connector = routes.named(config.name)?.connector;
      if (connector === undefined) throw new Error('a route was not made');
      return { config, check: await checkRoute(connector, accountOf(config, options)) };
    }),
  );
  routes.close();
  deps.showProgress('');
  return describe(checks);
}

/** A route to another country than the number's is tried with a made-up number. */
function refuseForeignPhone(configs: readonly RouteConfig[], { phone }: Options): void {
  if (phone === undefined || configs.length === 0) return;
  if (configs.some(({ country }) => parsePhone(phone, country) !== undefined)) return;
  const countries = [...new Set(configs.map(({ country }) => country))].join(', ');
  throw new CommandRefused(
    `--phone is not a mobile number of a country that the routes pay to (${countries}). No operator was asked.`,
    `Correct it, such as ${SAMPLE_PHONES.zm}, or leave it out: then a made-up number is looked up.`,
  );
}

function accountOf({ operator, country }: RouteConfig, { phone }: Options) {
  const wanted = phone ?? SAMPLE_PHONES[country];
  return { phone: parsePhone(wanted, country) ?? SAMPLE_PHONES[country], operator, country };
}

type Checked = Readonly<{ config: RouteConfig; check: RouteCheck }>;

function describe(checks: readonly Checked[]): Answer {
  const isGood = ({ access, name, takesPayouts }: RouteCheck) =>
    access.ok && name.ok && takesPayouts.ok;
  const mark = ({ ok, text }: RouteCheck['access']) => (ok ? text : `✗ ${text}`);
  const rows = checks.map(({ config, check }) => [
    config.name,
    config.kind.name,
    `${config.operator} ${config.country}`,
    mark(check.access),
    mark(check.name),
    mark(check.takesPayouts),
    isGood(check) ? 'works' : 'does not work',
  ]);
  const titles = ['route', 'connector', 'pair', 'balance', 'name', 'takes payouts', ''];
  return {
    json: {
      routes: checks.map(({ config, check }) => ({
        name: config.name,
        connector: config.kind.name,
        operator: config.operator,
        country: config.country,
        works: isGood(check),
        checks: check,
      })),
    },
    text:
      checks.length === 0
        ? 'The file has no routes.'
        : formatTable(
            titles.map((title) => ({ title })),
            rows,
          ),
    failed: !checks.every(({ check }) => isGood(check)),
  };
}
