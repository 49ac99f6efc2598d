import type { PlantedBound } from './planted-bound.ts';

/** Every bound that an attack holds the service to. */
export const PLANTED_BOUNDS: readonly PlantedBound[] = [
  {
    name: 'headers may take for ever, and any number of connections wait for them',
    edits: [
      {
        file: 'service/src/http/server-limits.ts',
        old: 'headersTimeoutMs: 5_000,',
        new: 'headersTimeoutMs: 0,',
      },
    ],
    attacks: ['6'],
    breaks: ['health', 'merchant'],
    form: 'long',
  },
];
