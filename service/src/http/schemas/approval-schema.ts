import { Type } from 'typebox';
import type { ShownFileApproval } from '../../payout-files/show-file-approval.ts';
import type { ShownApproval } from '../../views/render-transfer.ts';

const APPROVAL = {
  type: ['object', 'null'],
  properties: {
    needed: { type: 'integer', description: 'How many people must approve it, in all.' },
    given: { type: 'integer', description: 'How many have approved it.' },
    expiresAt: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When it is cancelled unless it is decided by then.',
    },
    requirements: {
      type: 'array',
      description: 'What each rule asks for; they add up, and a person counts for one.',
      items: {
        type: 'object',
        properties: {
          rule: { type: 'string', description: 'The name of the rule.' },
          count: { type: 'integer', description: 'How many people.' },
          of: {
            type: 'array',
            items: { type: 'string' },
            description: 'The roles of which each must have one.',
          },
        },
        required: ['rule', 'count', 'of'],
      },
    },
    decisions: {
      type: 'array',
      description: 'What people decided, oldest first.',
      items: {
        type: 'object',
        properties: {
          person: {
            type: 'object',
            description: 'Who decided.',
            properties: {
              id: { type: 'string', format: 'uuid', description: 'The id of the person.' },
              name: { type: 'string', description: 'The name of the person.' },
            },
            required: ['id', 'name'],
          },
          decision: {
            type: 'string',
            enum: ['approve', 'reject'],
            description: 'What the person decided.',
          },
          role: { type: 'string', description: 'The role by which it counts.' },
          reason: { type: ['string', 'null'], description: 'Why, in the words of the person.' },
          at: { type: 'string', format: 'date-time', description: 'When.' },
        },
        required: ['person', 'decision', 'role', 'reason', 'at'],
      },
    },
    canApprove: {
      type: 'array',
      description: 'Who can still give an approval that is wanted.',
      items: {
        type: 'object',
        properties: {
          id: { type: 'string', format: 'uuid', description: 'The id of the person.' },
          name: { type: 'string', description: 'The name of the person.' },
          roles: {
            type: 'array',
            items: { type: 'string' },
            description: 'The roles by which they may approve.',
          },
        },
        required: ['id', 'name', 'roles'],
      },
    },
    iCan: { type: 'boolean', description: 'Whether you are one of them; never for a key.' },
    iCanReject: {
      type: 'boolean',
      description:
        'Whether you can reject it, also where you cannot approve it: an owner may stop every payout. Never for a key.',
    },
    whyNot: {
      type: ['string', 'null'],
      description: 'Why a person is not; null: they are, it waits no more, or a key reads it.',
    },
    maker: {
      type: ['object', 'null'],
      properties: {
        kind: { type: 'string', enum: ['person', 'key', 'system'], description: 'What made it.' },
        id: { type: ['string', 'null'], description: 'The id of the person or the key.' },
        name: { type: 'string', description: 'The name of the person or the key.' },
      },
      required: ['kind', 'id', 'name'],
      description: 'Who made it; null: not known.',
    },
    impossible: {
      type: 'boolean',
      description: 'The people who are left cannot give the approvals that it waits for.',
    },
  },
  required: [
    'needed',
    'given',
    'expiresAt',
    'requirements',
    'decisions',
    'canApprove',
    'iCan',
    'iCanReject',
    'whyNot',
    'maker',
    'impossible',
  ],
};

/** Who must approve a transfer, and who did. */
export const ApprovalObject = Type.Unsafe<ShownApproval | null>({
  ...APPROVAL,
  description:
    'Where one transfer is read that awaits approval or did: who must approve it, who did. Else null.',
});

/** The same for a payout file, and what the decision is about. */
export const FileApprovalObject = Type.Unsafe<ShownFileApproval | null>({
  ...APPROVAL,
  properties: {
    ...APPROVAL.properties,
    rowsLeft: {
      type: ['integer', 'null'],
      description:
        'While it waits: the rows that are neither paid nor refused, which are fewer than all where paying was interrupted. Else null.',
    },
    amountLeft: {
      type: ['string', 'null'],
      description: 'The sum of their amounts, without fees.',
    },
  },
  required: [...APPROVAL.required, 'rowsLeft', 'amountLeft'],
  description:
    'Who must approve it, who did, and what is left to be paid. Null: it waits for no approval, and had none.',
});
