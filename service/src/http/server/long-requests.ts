import type { Server } from 'node:http';
import type { ServerLimits } from './server-limits.ts';

/**
 * Gives uploads more time than other requests. Node.js has one time for all requests of a server, which may be changed
 * while it runs: it is the longer one while an upload is under way. Meanwhile other requests are still ended when their
 * headers are late, when their bodies are slow, and when nothing arrives for half a minute.
 */
export class LongRequests {
  readonly #limits: Pick<ServerLimits, 'requestTimeoutMs' | 'uploadTimeoutMs'>;
  #server: Server | undefined;
  #underWay = 0;

  constructor(limits: Pick<ServerLimits, 'requestTimeoutMs' | 'uploadTimeoutMs'>) {
    this.#limits = limits;
    this.#server = undefined;
  }

  attach(server: Server): void {
    this.#server = server;
  }

  /** Counts a long request. Call what is returned once, when it has arrived or is gone. */
  begin(): () => void {
    this.#underWay += 1;
    this.#apply();
    return () => {
      this.#underWay -= 1;
      this.#apply();
    };
  }

  #apply(): void {
    if (this.#server === undefined) return;
    const { requestTimeoutMs, uploadTimeoutMs } = this.#limits;
    this.#server.requestTimeout = this.#underWay > 0 ? uploadTimeoutMs : requestTimeoutMs;
  }
}
