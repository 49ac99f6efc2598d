import type { ApiRequest } from '../server/api-operation.ts';

/** Which draft the person read. An entity tag may stand in quotes. */
export function readDraftHash(header: ApiRequest['header']): string | undefined {
  return header('if-match')
    ?.trim()
    .replace(/^"(.*)"$/, '$1');
}
