import { type ApiDeps, listApiRoutes } from '../../service/src/http/list-api-routes.ts';
import { buildOpenApi } from '../../service/src/http/openapi.ts';

/** Routes are described here, not served: what they would need to answer is never used. */
const UNUSED: object = new Proxy({}, { get: () => UNUSED });

export function renderOpenApi(): string {
  return `${JSON.stringify(buildOpenApi(listApiRoutes(UNUSED as ApiDeps)), null, 2)}\n`;
}
