import type { Answer, OperatorRequest } from './answer.ts';
import type { Chooser } from './choose-behaviour.ts';
import type { Gateway, KindOf } from './gateway.ts';
import type { OperatorBackend } from './operator-backend.ts';
import type { OperatorCondition } from './operator-condition.ts';
import type { WireResult } from './put-on-wire.ts';
import type { Ring } from './ring.ts';
import type { CallbackRecord, SendCallback } from './send-callback.ts';
import type { SetTimer } from './timers.ts';

/** What a protocol has to work with. */
export type EmulatorContext = Readonly<{
  name: string;
  backend: OperatorBackend;
  chooser: Chooser;
  sendCallback: SendCallback;
  now: () => number;
  /** Real milliseconds: multiply by `pace` first. Called off when the emulator closes. */
  setTimer: SetTimer;
  pace: number;
}>;

/** `hang`: no answer, ever. */
export type Protocol = (
  request: OperatorRequest,
  context: EmulatorContext,
) => Promise<Answer | 'hang'>;

export type RequestRecord = Readonly<{
  at: string;
  method: string;
  /** Without the query: some protocols carry passwords there. */
  path: string;
  status: WireResult;
  /** What broke inside the emulator itself, which is a fault of ours and not of the script. */
  error?: string;
}>;

/** One running emulator, for the code that answers its requests. */
export type EmulatorParts = {
  readonly context: EmulatorContext;
  readonly protocol: Protocol;
  readonly requests: Ring<RequestRecord>;
  readonly callbacks: Ring<CallbackRecord>;
  readonly closing: AbortController;
  condition: OperatorCondition;
  readonly gateway: Gateway;
  readonly kindOf: KindOf;
};
