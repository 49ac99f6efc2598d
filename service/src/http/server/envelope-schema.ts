/** The envelope around the `data` of a successful answer. */
export function envelopeOf(data: object): object {
  return {
    type: 'object',
    required: ['status', 'message', 'data'],
    properties: {
      status: { type: 'boolean', enum: [true], description: 'Always true.' },
      message: { type: 'string', description: 'For people.' },
      data,
    },
  };
}
