import { type ApiDeps, listApiOperations } from '../../../service/src/http/list-api-operations.ts';
import type { ApiOperation } from '../../../service/src/http/server/api-operation.ts';
import { renderJson } from '../render-json.ts';
import { buildOpenApi } from './build-openapi.ts';
import type { OpenApiDocument } from './openapi-document.ts';

/** Routes are described here, not served: what they would need to answer is never used. */
const UNUSED: object = new Proxy({}, { get: () => UNUSED });

/** What keys may call. */
export function serviceRoutes(): readonly ApiOperation[] {
  return listApiOperations(UNUSED as ApiDeps).book;
}

export function describeService(): OpenApiDocument {
  return buildOpenApi(serviceRoutes());
}

export function renderOpenApi(): string {
  return renderJson(describeService());
}
