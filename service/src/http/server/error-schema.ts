import { FIELD_CODES, REFUSALS } from '../../domain/refusal.ts';
import type { JsonSchema } from './json-schema.ts';

/** The schema of every error response, for the documentation. */
export const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['status', 'message', 'data'],
  properties: {
    status: { type: 'boolean', enum: [false] },
    message: { type: 'string', description: 'For people. Decide by the code.' },
    data: {
      type: 'object',
      description: 'Beside `error`, a duplicate has the existing `transfer` and `samePayload`.',
      required: ['error'],
      properties: {
        error: {
          type: 'object',
          required: ['code', 'retryable', 'requestId'],
          properties: {
            code: { type: 'string', enum: Object.keys(REFUSALS) },
            retryable: {
              type: 'boolean',
              description: 'Whether the same request, sent again unchanged, may succeed.',
            },
            requestId: { type: 'string' },
            fields: {
              type: 'array',
              description: 'Every broken field, with a VALIDATION_ERROR.',
              items: {
                type: 'object',
                required: ['field', 'code', 'message'],
                properties: {
                  field: { type: 'string' },
                  code: { type: 'string', enum: Object.keys(FIELD_CODES) },
                  message: { type: 'string' },
                },
              },
            },
          },
        },
      },
    },
  },
};
