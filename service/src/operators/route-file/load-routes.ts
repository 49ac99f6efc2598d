import { readFile } from 'node:fs/promises';
import { CONNECTOR_KINDS } from '../connector-kinds.ts';
import { type RouteConfig, readRoutes } from './read-routes.ts';

/** Reports everything that is wrong with the route file at once; never the value of a secret. */
export class BadRouteFile extends Error {
  readonly problems: readonly string[];

  constructor(path: string, problems: readonly string[]) {
    super(
      `The route file ${path} is not valid:\n${problems.map((line) => `  ${line}`).join('\n')}`,
    );
    this.name = 'BadRouteFile';
    this.problems = problems;
  }
}

/** The live routes of the file at `path`; none if no path is given. */
export async function loadRoutes(
  path: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly RouteConfig[]> {
  if (path === undefined) return [];
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new BadRouteFile(path, [`the file: cannot be read${code}.`]);
  }
  const { configs, problems } = readRoutes({ text, env, kinds: CONNECTOR_KINDS });
  if (problems.length > 0) throw new BadRouteFile(path, problems);
  return configs;
}
