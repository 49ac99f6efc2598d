import type { Operations } from '../../../service/src/http/guard-operations.ts';
import { listAllOperations } from '../../../service/src/http/list-all-operations.ts';
import { renderJson } from '../render-json.ts';
import { buildOpenApi } from './build-openapi.ts';
import type { OpenApiDocument } from './openapi-document.ts';

/** Routes are described here, not served: what they would need to answer is never used. */
const UNUSED: object = new Proxy({}, { get: () => UNUSED });

/** Every operation, also optional ones such as single sign-on. */
export function serviceOperations(): Operations {
  return listAllOperations(UNUSED);
}

export function describeService(): OpenApiDocument {
  return buildOpenApi(serviceOperations());
}

export function renderOpenApi(): string {
  return renderJson(describeService());
}
