import { Type } from 'typebox';
import { nullableText, words } from './plain-fields.ts';
import {
  count,
  flag,
  list,
  Named,
  orNull,
  text,
  timeOrNull,
  UnansweredCells,
} from './staff-fields.ts';

export const ReplayBody = Type.Object(
  {
    from: Type.Optional(nullableText({ format: 'date-time', description: 'From this time on.' })),
    to: Type.Optional(nullableText({ format: 'date-time', description: 'Before this time.' })),
  },
  { additionalProperties: false },
);

export const FailingEndpoint = Type.Object(
  {
    endpointId: text('The id of the endpoint.'),
    merchant: Named,
    mode: words(['test', 'live'], 'The mode of its book.'),
    url: text('Its address.'),
    status: words(['enabled', 'disabled'], 'Nothing is sent to a disabled one.'),
    disabledReason: orNull('Why it was disabled; null: it was not.'),
    failingSince: timeOrNull('Since when no delivery has succeeded.'),
    waiting: count('Deliveries that wait for their next attempt, at most 10,000 counted.'),
  },
  { $id: 'FailingWebhook', description: 'An endpoint that does not take its events.' },
);

export const FailingEndpointList = Type.Object({
  items: list(FailingEndpoint, 'The one that has failed longest comes first.'),
  more: flag('There are more than are listed.'),
  unansweredCells: UnansweredCells,
});
