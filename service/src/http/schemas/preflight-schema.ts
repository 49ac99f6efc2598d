import { Type } from 'typebox';
import { OPERATORS } from '../../domain/operator.ts';
import { nullableNumber, nullableText } from './plain-fields.ts';
import { TransferBody, TransferObject } from './transfer-schema.ts';

const nullableOperator = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], enum: [...OPERATORS, null], description });

const { reference, ...required } = TransferBody.properties;

/** A transfer's body whose reference may be left out. */
export const PreflightBody = Type.Object(
  { ...required, reference: Type.Optional(reference) },
  { additionalProperties: false },
);

const problems = (description: string) =>
  Type.Array(
    Type.Object({
      code: Type.String({ description: 'A code of an error response or of a field.' }),
      field: Type.Optional(Type.String({ description: 'The field to change.' })),
      message: Type.String({ description: 'What is wrong and what to do, for people.' }),
      transferId: Type.Optional(
        Type.String({
          format: 'uuid',
          description: 'Of `EARLIER_MAY_BE_PAID`: the transfer that the operator may have paid.',
        }),
      ),
    }),
    { description },
  );

export const PreflightObject = Type.Object(
  {
    wouldAccept: Type.Boolean({
      description: 'Whether the same order, sent now, would be accepted.',
    }),
    problems: problems(
      'Why it would be refused; the order itself would be answered with the first.',
    ),
    warnings: Type.Array(
      Type.Object({
        code: Type.String({
          description: '`POLICY_WARNS`, or a code of an error response or of a field.',
        }),
        field: Type.Optional(Type.String({ description: 'The field to look at.' })),
        message: Type.String({ description: 'What is worth a look, for people.' }),
        rule: Type.Optional(Type.String({ description: 'The rule of the policy that warns.' })),
      }),
      { description: 'What would not refuse it but should be looked at.' },
    ),
    fee: nullableNumber('What it would cost on top; null while the amount is not valid.'),
    total: nullableNumber('What the wallet would hold: amount and fee.'),
    available: nullableText({
      description: 'What the wallet can pay out now, as a decimal string; null: no such wallet.',
    }),
    operator: Type.Object(
      {
        given: nullableOperator('As in the order.'),
        predicted: nullableOperator(
          'Whom the prefix of the number was given to. Numbers move: it can warn, and decides nothing.',
        ),
        open: Type.Boolean({
          description: 'Whether payouts to the operator leave now; else they wait in the queue.',
        }),
        min: nullableNumber('The smallest amount that the operator takes.'),
        max: nullableNumber('The largest amount that the operator takes.'),
      },
      { description: 'Which operator it is, whether it takes payouts now, and its bounds.' },
    ),
    recipient: Type.Unsafe<{ accountName: string; nameMatch: string | null } | null>({
      type: ['object', 'null'],
      description:
        'Whose account it is, as the operator says; null: not known now. It counts as a name lookup.',
      properties: {
        accountName: { type: 'string', description: 'The name of the account.' },
        nameMatch: {
          type: ['string', 'null'],
          enum: ['match', 'close', 'mismatch', null],
          description: 'How it compares with `recipientName`; null when none was given.',
        },
      },
      required: ['accountName', 'nameMatch'],
    }),
    approvals: Type.Object(
      {
        needed: Type.Integer({ description: 'How many people would have to approve it.' }),
        rules: Type.Array(Type.String({ description: 'The name of a rule.' }), {
          description: 'The rules that ask for it.',
        }),
      },
      { description: 'Who would have to agree.' },
    ),
    similar: Type.Array(TransferObject, {
      description:
        'Up to 5 transfers of the same amount to the same number in the last 24 hours, under another reference.',
    }),
    limits: Type.Array(
      Type.Object({
        rule: Type.String({
          description:
            'The limit: `wallet_daily` is what a wallet may pay a day, another word is a rule of the policy.',
        }),
        left: Type.String({
          description:
            'The rest of it before this order: an amount as a decimal string, or a number of transfers.',
        }),
      }),
      { description: 'The limits that the order would count against.' },
    ),
  },
  { $id: 'Preflight', description: 'What would become of an order.' },
);
