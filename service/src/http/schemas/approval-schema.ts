import { Type } from 'typebox';
import type { ShownApproval } from '../../views/render-transfer.ts';

/** Who must approve a transfer, and who did. */
export const ApprovalObject = Type.Unsafe<ShownApproval | null>({
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
          at: { type: 'string', format: 'date-time', description: 'When.' },
        },
        required: ['person', 'decision', 'at'],
      },
    },
    impossible: {
      type: 'boolean',
      description: 'The people who are left cannot give the approvals that it waits for.',
    },
  },
  required: ['needed', 'given', 'expiresAt', 'requirements', 'decisions', 'impossible'],
  description:
    'While it awaits approval, where one transfer is read: who must, who did. Else null.',
});
