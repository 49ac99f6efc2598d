import { BadRouteFile, loadRoutes } from '../operators/route-file/load-routes.ts';
import type { RouteConfig } from '../operators/route-file/read-routes.ts';

/** By route: what must never be shown of it, as far as the route file here tells. */
export type KnownSecrets = (route: string) => readonly string[];

/**
 * Reads the secrets of the routes, to take them out of what operators sent. A route file that is not
 * here, or is wrong, must not keep a person on call from reading a timeline: then none are known.
 */
export async function readKnownSecrets(
  env: Readonly<Record<string, string | undefined>>,
): Promise<KnownSecrets> {
  const configs = await loadRoutes(env['ROUTES_FILE'] || undefined, env).catch((error: unknown) => {
    if (error instanceof BadRouteFile) return [];
    throw error;
  });
  const secrets = new Map(configs.map((config) => [config.name, secretsOf(config)]));
  return (route) => secrets.get(route) ?? [];
}

function secretsOf({ kind, settings, callbackToken }: RouteConfig): readonly string[] {
  const properties: unknown = Reflect.get(kind.settings, 'properties');
  const values = Object.entries(settings).flatMap(([name, value]) =>
    typeof value === 'string' && isSecret(properties, name) ? [value] : [],
  );
  return callbackToken === null ? values : [...values, callbackToken];
}

/** A connector's schema marks what is secret. */
function isSecret(properties: unknown, name: string): boolean {
  if (typeof properties !== 'object' || properties === null) return false;
  const schema: unknown = Reflect.get(properties, name);
  return typeof schema === 'object' && schema !== null && 'secret' in schema;
}
