import type { ActPosition } from '../../acts/list-acts.ts';
import { parseUuid } from '../../domain/uuid.ts';

/** The position of an act as it stands in the cursor of a list. */
export function formatActPosition({ at, id }: ActPosition): string {
  return `${at.getTime()}.${id}`;
}

export function parseActPosition(text: string): ActPosition | undefined {
  const [, ms = '', id = ''] = /^(\d{1,15})\.(.+)$/.exec(text) ?? [];
  const uuid = parseUuid(id);
  return uuid === undefined ? undefined : { at: new Date(Number(ms)), id: uuid };
}
