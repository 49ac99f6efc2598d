import { buildOpenApi } from '../../service/src/http/openapi.ts';
import { describeApiRoutes } from '../../service/src/http/list-api-routes.ts';

export function renderOpenApi(): string {
  return `${JSON.stringify(buildOpenApi(describeApiRoutes()), null, 2)}\n`;
}
