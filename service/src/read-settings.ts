import { access, constants, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { BadConfig, type Config, type Environment, readVariables } from './config/config.ts';
import { BadRouteFile, loadRoutes } from './operators/route-file/load-routes.ts';
import type { RouteConfig } from './operators/route-file/read-routes.ts';
import { errorCode } from './postgres/embedded/atomic-files.ts';
import { BadSealingKeys, findSealingKeys, readSealingKeys } from './webhooks/read-sealing-keys.ts';
import type { SealingKey } from './webhooks/seal-secret.ts';

/** Everything that is configured from outside. */
export type Settings = Readonly<{
  config: Config;
  /** The keys that seal webhook secrets, the current one first. */
  keys: readonly SealingKey[];
  liveRoutes: readonly RouteConfig[];
}>;

type SettingsDeps = Readonly<{
  env: Environment;
  /** Gives up root where the settings want it. Called when the variables are right. */
  leaveRoot: (config: Config) => void;
}>;

/**
 * Reads the variables, and the files and addresses that they name. All mistakes are found before anything is
 * written or opened, and thrown as one error, so that they can be mended at once.
 */
export async function readSettings({ env, leaveRoot }: SettingsDeps): Promise<Settings> {
  const { config, problems: inVariables } = readVariables(env);
  const problems = inVariables.length === 0 ? tryToLeaveRoot(leaveRoot, config) : inVariables;
  const routes = await orMistake(loadRoutes(config.routesFile, env));
  const keys = await orMistake(findSealingKeys({ dataDir: config.dataDir, env }));
  // With a database and keys of their own nothing is written there.
  const needsFolder = config.databaseUrl === undefined || keys === undefined;
  const found = [
    ...problems,
    ...(await findHostProblems(config, problems)),
    ...(needsFolder ? await findFolderProblems(config, problems) : []),
  ];
  const mistakes = [routes, keys].filter(isMistake);
  const [only, ...others] = mistakes;
  if (found.length === 0 && only !== undefined && others.length === 0) throw only;
  if (found.length > 0 || mistakes.length > 0) {
    throw new BadConfig([...found, ...mistakes.flatMap(({ message }) => message.split('\n'))]);
  }
  return {
    config,
    keys: await readSealingKeys({ dataDir: config.dataDir, env }),
    liveRoutes: isMistake(routes) ? [] : routes,
  };
}

function tryToLeaveRoot(leaveRoot: SettingsDeps['leaveRoot'], config: Config): readonly string[] {
  try {
    leaveRoot(config);
    return [];
  } catch (error) {
    if (error instanceof BadConfig) return error.problems;
    throw error;
  }
}

type Mistake = BadRouteFile | BadSealingKeys;

function isMistake(value: unknown): value is Mistake {
  return value instanceof BadRouteFile || value instanceof BadSealingKeys;
}

async function orMistake<T>(reading: Promise<T>): Promise<T | Mistake> {
  try {
    return await reading;
  } catch (error) {
    if (isMistake(error)) return error;
    throw error;
  }
}

/** Listens there for a moment, at any port: only that takes names, interfaces and address families into account. */
async function findHostProblems(
  { host }: Config,
  problems: readonly string[],
): Promise<readonly string[]> {
  if (problems.some((problem) => problem.startsWith('HOST'))) return [];
  const code = await new Promise<string | undefined>((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(errorCode(error) ?? 'unknown'));
    server.listen({ host, port: 0 }, () => server.close(() => resolve(undefined)));
  });
  if (code === undefined) return [];
  return [
    `HOST must be an address of this machine or a name of one, such as 127.0.0.1 (${code}). 0.0.0.0 is all of them.`,
  ];
}

async function findFolderProblems(
  { dataDir }: Config,
  problems: readonly string[],
): Promise<readonly string[]> {
  if (problems.some((problem) => problem.startsWith('DATA_DIR'))) return [];
  const code = await whyNotWritable(dataDir);
  if (code === undefined) return [];
  return [
    `DATA_DIR must be a folder that the service may write to, or can make (${code}). Change its owner, or name another.`,
  ];
}

/** The code of the error; undefined when it is writable. For a missing folder, checks the one that would hold it. */
async function whyNotWritable(folder: string): Promise<string | undefined> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return (await stat(folder)).isDirectory() ? undefined : 'ENOTDIR';
  } catch (error) {
    const code = errorCode(error) ?? 'unknown';
    const parent = dirname(folder);
    return code === 'ENOENT' && parent !== folder ? whyNotWritable(parent) : code;
  }
}
