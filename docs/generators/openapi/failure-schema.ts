import { FIELD_CODES } from '../../../service/src/domain/field-problem.ts';
import { REFUSALS } from '../../../service/src/domain/refusal-codes.ts';
import type { JsonSchema } from '../json-schema.ts';

/** The schema of every error response, for the documentation. */
export const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'The answer to a request that was refused.',
  required: ['status', 'message', 'data'],
  properties: {
    status: { type: 'boolean', enum: [false], description: 'Always false.' },
    message: { type: 'string', description: 'For people. Decide by the code.' },
    data: {
      type: 'object',
      description: 'Beside `error`, a duplicate has the existing `transfer` and `samePayload`.',
      required: ['error'],
      properties: {
        error: {
          type: 'object',
          description: 'What went wrong.',
          required: ['code', 'retryable', 'requestId'],
          properties: {
            code: {
              type: 'string',
              enum: Object.keys(REFUSALS),
              description: 'Decide by it: see the error codes.',
            },
            retryable: {
              type: 'boolean',
              description: 'Whether the same request, sent again unchanged, may succeed.',
            },
            requestId: {
              type: 'string',
              description: 'As in `X-Request-Id`. Tell it to us when something is wrong.',
            },
            rule: {
              type: 'string',
              description: 'The rule of the policy that refuses it, with a POLICY_REFUSED.',
            },
            fields: {
              type: 'array',
              description: 'Every broken field, with a VALIDATION_ERROR.',
              items: {
                type: 'object',
                required: ['field', 'code', 'message'],
                properties: {
                  field: { type: 'string', description: 'The name of the field, as you sent it.' },
                  code: {
                    type: 'string',
                    enum: Object.keys(FIELD_CODES),
                    description: 'What is wrong with it: see broken fields.',
                  },
                  message: { type: 'string', description: 'What the field must be.' },
                },
              },
            },
          },
        },
      },
    },
  },
};
