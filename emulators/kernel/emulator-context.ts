import type { Answer, OperatorRequest } from './answer.ts';
import type { BalanceFault } from './balance-fault.ts';
import type { CallLimiter, KindOf } from './call-limiter.ts';
import type { Chooser } from './choose-behaviour.ts';
import type { OperatorBackend } from './operator-backend.ts';
import type { OperatorCondition } from './operator-condition.ts';
import type { RecentItems } from './recent-items.ts';
import type { WireResult } from './send-answer.ts';
import type { CallbackRecord, SendCallback } from './send-callback.ts';
import type { SetTimer } from './timers.ts';

/** What a protocol function gets beside the request. */
export type EmulatorContext = Readonly<{
  name: string;
  backend: OperatorBackend;
  chooser: Chooser;
  sendCallback: SendCallback;
  now: () => number;
  /** Takes real milliseconds: multiply by `timeScale` first. Cancelled when the emulator closes. */
  setTimer: SetTimer;
  timeScale: number;
}>;

/** `hang`: the request is never answered. */
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
  /** An error inside the emulator, which is a bug and not a configured behaviour. */
  error?: string;
}>;

/** The parts of a running emulator that the code answering requests needs. */
export type EmulatorParts = {
  readonly context: EmulatorContext;
  readonly protocol: Protocol;
  readonly requests: RecentItems<RequestRecord>;
  readonly callbacks: RecentItems<CallbackRecord>;
  readonly closing: AbortController;
  condition: OperatorCondition;
  balanceFault: BalanceFault;
  readonly limiter: CallLimiter;
  readonly kindOf: KindOf;
};
