import { Type } from 'typebox';
import {
  VIEW_COLUMN_LENGTH_MAX,
  VIEW_COLUMNS_MAX,
  VIEW_NAME_LENGTH_MAX,
  VIEW_QUERY_LENGTH_MAX,
} from '../../people/saved-views/saved-view.ts';
import { optionalOrNull } from './plain-fields.ts';

const choice = {
  name: Type.String({
    minLength: 1,
    maxLength: VIEW_NAME_LENGTH_MAX,
    description: 'What people call it.',
    examples: ['In doubt at MTN'],
  }),
  query: Type.String({
    maxLength: VIEW_QUERY_LENGTH_MAX,
    description: 'The filters, as in the address of the list.',
    examples: ['state=in_doubt&operator=mtn'],
  }),
};
const Columns = Type.Array(Type.String({ maxLength: VIEW_COLUMN_LENGTH_MAX }), {
  maxItems: VIEW_COLUMNS_MAX,
  description: 'The columns, in their order. Empty: the default columns of the list.',
});
const IsShared = Type.Boolean({ description: 'Whether all who see the book see it too.' });

export const ViewBody = Type.Object(
  { ...choice, columns: optionalOrNull(Columns), isShared: optionalOrNull(IsShared) },
  { additionalProperties: false },
);

export const ViewObject = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Our id of the view.' }),
    ...choice,
    columns: Columns,
    isShared: IsShared,
    ownedBy: Type.Object(
      {
        id: Type.String({ format: 'uuid', description: 'The id of the person.' }),
        name: Type.String({ description: 'The name of the person.' }),
      },
      { description: 'Who made it and may change it.' },
    ),
  },
  { $id: 'View', description: 'A list with filters and columns that a person has named.' },
);

export const ViewList = Type.Object({
  items: Type.Array(ViewObject, { description: 'Own views first, then shared views of others.' }),
});

export const DeletedView = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The view that is gone.' }),
});
