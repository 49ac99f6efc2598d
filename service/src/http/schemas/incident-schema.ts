import { Type } from 'typebox';
import {
  flag,
  list,
  NamedOrNull,
  objectOrNull,
  orNull,
  text,
  time,
  UnansweredCells,
} from './staff-fields.ts';

const IncidentItem = Type.Object(
  {
    id: text('The id of the incident.'),
    kind: text('What contradicts, as a code.'),
    detail: text('The same in a sentence.'),
    openedAt: time('When it was opened.'),
    transfer: objectOrNull(
      {
        id: text('Its id.'),
        reference: text("The merchant's reference."),
        state: text('Its state now.'),
      },
      'The transfer that it is about; null: none is known.',
    ),
    merchant: NamedOrNull('Whose transfer it is; null: none is known.'),
    mode: orNull('The mode of its book.'),
    route: orNull('The route that reported it, where no transfer is known.'),
    operatorReference: orNull('What the operator calls it, where no transfer is known.'),
    closed: objectOrNull(
      { at: time('When.'), by: text('By whom.'), note: text('What became of it.') },
      'How it was closed; null: it is open.',
    ),
  },
  { description: 'Something that contradicts what is recorded.' },
);

export const IncidentList = Type.Object({
  items: list(IncidentItem, 'Open ones first, the oldest on top; then the last closed.'),
  more: flag('There are more than are listed.'),
  unansweredCells: UnansweredCells,
});

export const NoteBody = Type.Object(
  {
    note: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'What became of it.',
      examples: ['MTN corrected its list, ticket 4711'],
    }),
  },
  { additionalProperties: false },
);

export const ClosedIncident = Type.Object({
  id: text('The id of the incident.'),
  kind: text('What contradicted, as a code.'),
  transferId: orNull('The transfer that it was about.'),
  by: text('Who closed it.'),
});
