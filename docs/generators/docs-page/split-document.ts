import { REFUSALS, type RefusalCode } from '../../../service/src/domain/refusal-codes.ts';
import type { JsonSchema } from '../json-schema.ts';
import {
  BOOK_HEADER,
  type OpenApiDocument,
  type OpenApiOperation,
} from '../openapi/openapi-document.ts';

/** For whom a page is: programs with a key, or people with a session. */
export type Readers = 'programs' | 'people';

/** The document with the operations of one page, and the names of the objects that this page explains. */
export type DocumentPart = Readonly<{ document: OpenApiDocument; objects: readonly string[] }>;

export function splitDocument(document: OpenApiDocument): Readonly<Record<Readers, DocumentPart>> {
  const programs = withPaths(document, takesKey, forProgram);
  const people = withPaths(
    document,
    (operation) => !takesKey(operation),
    (operation) => operation,
  );
  const { schemas } = document.components;
  const ofPrograms = reachable([programs.paths, document.webhooks, schemas.Failure], schemas);
  const names = Object.keys(schemas);
  return {
    programs: { document: programs, objects: names.filter((name) => ofPrograms.has(name)) },
    people: { document: people, objects: names.filter((name) => !ofPrograms.has(name)) },
  };
}

export function takesKey({ security }: Pick<OpenApiOperation, 'security'>): boolean {
  return security.some((one) => 'apiKey' in one);
}

export function isForPeople(code: string): boolean {
  return 'isForPeople' in REFUSALS[code as RefusalCode];
}

/** Without what only people with a session send and get. */
function forProgram(operation: OpenApiOperation): OpenApiOperation {
  const responses: Record<string, OpenApiOperation['responses'][string]> = {};
  for (const [status, response] of Object.entries(operation.responses)) {
    if (!('$ref' in response)) {
      responses[status] = response;
      continue;
    }
    const codes = response.description.split(', ');
    const ofPrograms = codes.filter((code) => !isForPeople(code.replaceAll('`', '')));
    if (ofPrograms.length > 0) {
      responses[status] = { ...response, description: ofPrograms.join(', ') };
    }
  }
  const parameters = operation.parameters.filter(({ name }) => name !== BOOK_HEADER);
  return { ...operation, parameters, responses };
}

function withPaths(
  document: OpenApiDocument,
  isWanted: (operation: OpenApiOperation) => boolean,
  change: (operation: OpenApiOperation) => OpenApiOperation,
): OpenApiDocument {
  const paths = Object.entries(document.paths).map(([path, methods]) => {
    const wanted = Object.entries(methods).filter(([, operation]) => isWanted(operation));
    const changed = wanted.map(([method, operation]) => [method, change(operation)] as const);
    return [path, Object.fromEntries(changed)] as const;
  });
  const tags = new Set(
    paths.flatMap(([, methods]) => Object.values(methods).flatMap((one) => one.tags)),
  );
  return {
    ...document,
    paths: Object.fromEntries(paths),
    tags: document.tags.filter(({ name }) => tags.has(name)),
  };
}

const REFERENCE = /"\$ref":"#\/components\/schemas\/(\w+)"/g;

/** The names of the schemas that the value refers to, also through each other. */
function reachable(
  value: unknown,
  schemas: Readonly<Record<string, JsonSchema>>,
): ReadonlySet<string> {
  const found = new Set<string>(['Failure']);
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    for (const [, name = ''] of JSON.stringify(waiting.pop()).matchAll(REFERENCE)) {
      if (found.has(name)) continue;
      found.add(name);
      waiting.push(schemas[name]);
    }
  }
  return found;
}
