/** One entry of a route file, as the service documents it. */
export type RouteEntry = Readonly<{
  name: string;
  connector: string;
  operator: 'mtn' | 'airtel' | 'zamtel' | 'vodacom';
  country: 'zm' | 'ng';
  callbackToken?: string;
  timeScale?: number;
  limits?: Readonly<Record<string, number>>;
  timeouts?: Readonly<Record<string, number>>;
  settings: Readonly<Record<string, unknown>>;
}>;

/** What one emulator needs to know to start, and what it tells about itself. */
export type StartOptions = Readonly<{
  /** 0: any free one. */
  port: number;
  folder: string;
  pace: number;
  /** Where callbacks go, up to the name of the route; null: nowhere. */
  callbackBaseUrl: string | null;
  /** How many calls about payouts an operator takes in a second; null: as few as the real ones. */
  callsPerSecond: number | null;
  /** How long M-Pesa refuses a new session; a moment unless told. */
  sessionActivationMs?: number;
}>;

export type StartedEmulator = Readonly<{
  name: string;
  url: string;
  routes: readonly RouteEntry[];
  close(): Promise<void>;
}>;
