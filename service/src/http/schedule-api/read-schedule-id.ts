import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';

export function readScheduleId(params: Readonly<Record<string, string>>): string {
  const id = parseUuid(params['id'] ?? '');
  if (id === undefined) throw refuse('SCHEDULE_NOT_FOUND');
  return id;
}
