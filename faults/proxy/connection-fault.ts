/** The fault that the proxy applies to one connection. */
export type ConnectionFault = Readonly<
  | { kind: 'clean' }
  | { kind: 'delay request'; delayMs: number }
  | { kind: 'delay answer'; delayMs: number }
  /** Part of the request arrives, then both connections are closed. */
  | { kind: 'cut request'; perMille: number; reset: boolean }
  /** The whole request arrives, then both connections are closed. */
  | { kind: 'cut after request'; reset: boolean }
  /** The service answers, but the answer is dropped. */
  | { kind: 'drop answer'; reset: boolean }
  /** The client gets only the beginning of the answer. */
  | { kind: 'cut answer'; afterBytes: number }
>;

/** The first line of every connection to the proxy: its fault, and the length of the request. */
export type Preamble = Readonly<{ fate: ConnectionFault; requestBytes: number }>;
