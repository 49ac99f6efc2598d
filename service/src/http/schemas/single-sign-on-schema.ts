import { Type } from 'typebox';

export const SingleSignOnQuery = Type.Object({
  returnTo: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description: 'The page of the console to go on with: a path that begins with /console.',
      examples: ['/console/transfers'],
    }),
  ),
});
