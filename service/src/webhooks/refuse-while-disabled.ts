import { type Refusal, refuse } from '../domain/refusal.ts';

/** Nothing is sent to a disabled endpoint, and waiting deliveries are given up. */
export function refuseWhileDisabled(): Refusal {
  return refuse('INVALID_STATE', {
    message: 'The webhook is disabled. Enable it first, by PATCH with status enabled.',
  });
}
