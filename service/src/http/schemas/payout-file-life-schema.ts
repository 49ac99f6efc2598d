import { Type } from 'typebox';
import { optionalOrNull } from './plain-fields.ts';

export const SubmitFileBody = Type.Object(
  {
    contentHash: optionalOrNull(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        description:
          'The `contentHash` of the file as you saw it. If it was changed since, nothing is submitted.',
      }),
    ),
    version: optionalOrNull(
      Type.Integer({
        minimum: 1,
        description:
          'The `version` of the draft as you saw it. If it was changed since, nothing is submitted.',
      }),
    ),
    walletId: optionalOrNull(
      Type.String({
        format: 'uuid',
        description:
          'The wallet to pay from. Left out: that of the file, or the only one in its currency.',
      }),
    ),
    payAt: optionalOrNull(
      Type.String({
        format: 'date-time',
        description: 'When it is to be paid, up to 90 days ahead. Left out: as soon as it may.',
        examples: ['2026-11-30T08:00:00+02:00'],
      }),
    ),
  },
  { additionalProperties: false },
);

export const ResultsQuery = Type.Object({
  format: Type.Optional(
    Type.String({
      enum: ['csv', 'xlsx'],
      description: 'Left out: as the header Accept says, else CSV.',
    }),
  ),
});
