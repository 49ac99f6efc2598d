/** What the proxy does to one connection. */
export type Fate = Readonly<
  | { kind: 'clean' }
  | { kind: 'delay request'; delayMs: number }
  | { kind: 'delay answer'; delayMs: number }
  /** Part of the request arrives, then both sides are cut off. */
  | { kind: 'cut request'; perMille: number; reset: boolean }
  /** The whole request arrives, then both sides are cut off. */
  | { kind: 'cut after request'; reset: boolean }
  /** The service answers, and nobody hears it. */
  | { kind: 'drop answer'; reset: boolean }
  /** The client gets the beginning of the answer. */
  | { kind: 'cut answer'; afterBytes: number }
>;

/** The first line of every connection to the proxy: what becomes of it, and how long the request is. */
export type Preamble = Readonly<{ fate: Fate; requestBytes: number }>;
