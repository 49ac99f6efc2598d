import { Type } from 'typebox';
import { COUNTED_BY } from '../../domain/policy/policy.ts';
import { nullableText, words } from './plain-fields.ts';
import { flag, text, timeOrNull } from './staff-fields.ts';

const Amount = 'An amount as decimal text, or a count.';

const LimitObject = Type.Object(
  {
    rule: nullableText({
      description: "The rule of the policy; null: the wallet's own daily limit.",
    }),
    kind: words(['sum', 'count'], 'Whether amounts are summed, or transfers counted.'),
    by: words(COUNTED_BY, 'By what.'),
    subject: text('The id of the wallet, key or person, the number, or the operator.'),
    name: text('Its name.'),
    window: text(
      '`day`: a business day of the country, or of UTC for the limit of a wallet. Else an ISO 8601 duration.',
    ),
    currency: words(['ZMW', 'NGN'], 'Only transfers in this currency count.'),
    refuses: flag('Above it transfers are refused; false: the rule asks for something else then.'),
    limit: text(Amount),
    used: text(Amount),
    left: text(Amount),
    resetsAt: timeOrNull('When nothing is used again; null: the window slides.'),
  },
  { $id: 'Limit', description: 'How much of one limit is used.' },
);

export const LimitQuery = Type.Object({
  phone: Type.Optional(
    Type.String({
      description: 'Shows limits by recipient for this number, in any spelling. Give + as %2B.',
    }),
  ),
});

export const LimitList = Type.Object({
  items: Type.Array(LimitObject, {
    description: 'Those of wallets first, then those of the policy in the order of its rules.',
  }),
  isComplete: flag('False: there are more than 1,000, and the last are left out.'),
});
