import { type ApiDeps, listApiOperations } from '../../service/src/http/list-api-operations.ts';
import { buildOpenApi } from '../../service/src/http/openapi/openapi.ts';

/** Routes are described here, not served: what they would need to answer is never used. */
const UNUSED: object = new Proxy({}, { get: () => UNUSED });

export function renderOpenApi(): string {
  return `${JSON.stringify(buildOpenApi(listApiOperations(UNUSED as ApiDeps)), null, 2)}\n`;
}
