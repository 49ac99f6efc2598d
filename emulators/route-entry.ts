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

/** Options to start one emulator. */
export type StartOptions = Readonly<{
  /** 0: any free port. */
  port: number;
  folder: string;
  timeScale: number;
  /** Base URL of callbacks, up to the name of the route; null: no callbacks are sent. */
  callbackBaseUrl: string | null;
  /** How many submissions and inquiries an operator accepts per second; null: the real operator's limit. */
  callsPerSecond: number | null;
  /** How long M-Pesa refuses a new session; 200 ms by default. */
  sessionActivationMs?: number;
}>;

export type StartedEmulator = Readonly<{
  name: string;
  url: string;
  routes: readonly RouteEntry[];
  close(): Promise<void>;
}>;
