import { refuse } from '../../domain/refusal.ts';
import type { ApiRequest } from './api-operation.ts';
import type { Caller } from './caller.ts';

/** The origin at which people have the console, such as https://console.example.com. */
export type ConsoleOrigin = <C extends Caller>(
  request: Pick<ApiRequest<C>, 'header' | 'isFromThisMachine'>,
) => string;

/**
 * As it is configured. Without that, only what a browser on this machine sends is believed: through a proxy a client
 * can send any Host.
 */
export function createConsoleOrigin(configured: string | undefined): ConsoleOrigin {
  return ({ header, isFromThisMachine }) => {
    if (configured !== undefined) return configured;
    if (!isFromThisMachine()) throw refuse('INVALID_STATE', NOT_CONFIGURED);
    return new URL(`http://${header('host') ?? ''}`).origin;
  };
}

const NOT_CONFIGURED = {
  message:
    'This way to sign in is not set up. Set CONSOLE_ORIGIN to the address of the console, such as https://console.example.com, and start the service again.',
};
