import type { Mode } from '../domain/transfer.ts';
import type { Queryable } from '../postgres/database.ts';
import type { EventType } from './event-types.ts';

/** Identifies an event: each subject of a book numbers its own. */
export type EventKey = Readonly<{ bookId: string; subjectId: string; seq: number }>;

/** The columns of the event's own row. Everything else about its subject is read by `ShowSubjects`. */
export type RecordedEvent = EventKey &
  Readonly<{
    type: EventType;
    /** The state that a transfer moved to. */
    toState: string | null;
    cause: string;
    createdAt: Date;
    mode: Mode;
  }>;

/** Reads the subjects of events of one kind, each as it was at that event, by the `eventKey` of the event. */
export type ShowSubjects = (
  database: Queryable,
  events: readonly RecordedEvent[],
) => Promise<ReadonlyMap<string, object>>;

/** The key of an event in the map that `renderEvents` returns. */
export function eventKey({ bookId, subjectId, seq }: EventKey): string {
  return `${bookId} ${subjectId} ${seq}`;
}

/** The three columns that every statement here takes as parameters. */
export function keyColumns(keys: readonly EventKey[]): readonly unknown[] {
  return [
    keys.map(({ bookId }) => bookId),
    keys.map(({ subjectId }) => subjectId),
    keys.map(({ seq }) => seq),
  ];
}
