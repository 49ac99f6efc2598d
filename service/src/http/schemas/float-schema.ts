import { Type } from 'typebox';
import { FLOAT_LEVELS } from '../../domain/float.ts';
import { CURRENCIES } from '../../domain/money.ts';
import { nullableText, words } from './plain-fields.ts';
import { flag, list, numberOrNull, orNull, text, time, timeOrNull } from './staff-fields.ts';
import { ReasonBody } from './staff-transfer-schema.ts';

export const StaffFloat = Type.Object(
  {
    route: text('The name of the route.'),
    connector: text('The connector that it uses.'),
    operator: text('The operator that it pays.'),
    country: text('The country of the operator.'),
    currency: words(CURRENCIES, 'The currency of the amounts.'),
    level: words(
      FLOAT_LEVELS,
      'low: a person should top it up. out: nothing is left after what is ordered. unknown: the operator did not say, or more than 15 minutes ago.',
    ),
    reportsBalance: flag('Whether the operator has a call for the balance.'),
    ours: orNull('What our own books say that the account holds.'),
    operators: orNull('What the operator said that it holds.'),
    difference: orNull("The operator's figure without ours."),
    readAt: timeOrNull('When the operator said so.'),
    ageMs: numberOrNull('How long ago that is.'),
    countedSince: timeOrNull("Our figure begins here, with the operator's."),
    error: orNull('Why the last request for the balance failed.'),
    failingSince: timeOrNull('Since when none is answered.'),
    underWay: text('Sent by this route and without a known end.'),
    queued: text('Waits to be sent by this route.'),
    spendable: orNull('What is left after all that is under way and queued from the account.'),
    paidInDay: text('Paid by this route in the last day.'),
    hoursLeft: numberOrNull('How long that lasts at the rate of the last day; null: not known.'),
    sharedWith: list(text('The name of a route.'), 'Other routes that pay from the same account.'),
    lowBelow: orNull('The float is low below this amount.'),
    lowHours: Type.Number({ description: 'The float is low when it lasts for less.' }),
    seen: orNull(
      'Changes when a person explains a difference. Send it with an explanation: it is refused if this has changed.',
    ),
  },
  {
    $id: 'Float',
    description: 'The float of a route: the money in our account with its operator.',
  },
);

export const FloatList = Type.Object({
  asOf: time('When this was read.'),
  items: list(StaffFloat, 'The floats of all live routes of this process.'),
});

export const FloatChangeBody = Type.Object(
  {
    currency: words(CURRENCIES, 'The currency of the float.'),
    amount: Type.String({
      pattern: '^-?(?!0+(\\.0{1,2})?$)[0-9]{1,13}(\\.[0-9]{1,2})?$',
      description: 'What came into the account, such as `500000.00`; with a minus what left it.',
      examples: ['500000.00'],
    }),
    reason: ReasonBody.properties.reason,
    seen: Type.Optional(
      nullableText({
        maxLength: 100,
        description:
          'The `seen` of the float that you looked at. If it is another now, the answer is 409 `CONTENT_CHANGED`, and nothing is changed.',
      }),
    ),
  },
  { additionalProperties: false },
);
