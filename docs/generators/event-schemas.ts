import { EVENT_TYPES, type EventType } from '../../service/src/events/event-types.ts';
import { eventSchema } from '../../service/src/http/schemas/event-schema.ts';
import { toPlainSchema } from './json-schema.ts';

/** The JSON Schema of every event, by the path of its file. */
export const EVENT_SCHEMAS: Readonly<Record<string, () => string>> = Object.fromEntries(
  EVENT_TYPES.map((type) => [`docs/events/${type}.json`, () => renderEventSchema(type)]),
);

function renderEventSchema(type: EventType): string {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: type,
    description: 'The body of a webhook delivery, and an item of GET events.',
    ...withoutNames(toPlainSchema(eventSchema(type))),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** Each file stands alone, so the names that parts have inside the API's description are left out. */
function withoutNames(schema: object): object {
  const plain: object = JSON.parse(
    JSON.stringify(schema, (name, value: unknown) => (name === '$id' ? undefined : value)),
  );
  return plain;
}
