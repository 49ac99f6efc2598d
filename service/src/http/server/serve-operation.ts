import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuse } from '../../domain/refusal.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { KEYS_TRACKED_MAX } from './api-key-guard.ts';
import { type ApiAnswer, type ApiRequest, bodyNeedOf, type Operation } from './api-operation.ts';
import type { BodyBudgets, BodyShare } from './body-budget.ts';
import type { CallQueue } from './call-queue.ts';
import { type Arrival, type Caller, type Guard, ownerOf } from './caller.ts';
import { ClientGone } from './collect-body.ts';
import { compileSerializer, type Serialize } from './compile-serializer.ts';
import { isFromThisMachine } from './from-this-machine.ts';
import { HttpExchange, type ObservedOperation, type ServerContext } from './http-exchange.ts';
import { SMALL_JSON_LIMITS } from './json-limits.ts';
import { type BodyRule, readBody } from './read-body.ts';
import { type ReceivedUpload, readUpload } from './read-upload.ts';
import type { PathParameters, Router } from './router.ts';
import { type JsonAnswer, sendAnswer } from './send-answer.ts';
import { BODY_BYTES_MAX } from './server-limits.ts';
import type { JsonObject } from './strict-json.ts';
import { BucketTable } from './token-bucket.ts';

type ServingDeps = Readonly<{
  serverContext: ServerContext;
  metrics: Pick<Metrics, 'operation'>;
}>;

/** An operation, the path that it is served at, and who decides about its callers. */
export type GuardedOperation<C extends Caller> = Readonly<{
  pattern: string;
  route: Operation<C>;
  guard: Guard<C>;
}>;

type Serving<C extends Caller> = Readonly<{
  serverContext: ServerContext;
  guard: Guard<C>;
  route: Operation<C>;
  operation: ObservedOperation;
  routeBuckets: BucketTable | undefined;
  takesBody: boolean;
  bodyRule: BodyRule;
  /** By status. Each is compiled with its first answer, so that a start does not wait for all of them. */
  serializers: Map<number, Serialize>;
}>;

export function serveOperation<C extends Caller>(
  router: Router,
  deps: ServingDeps,
  { pattern, route, guard }: GuardedOperation<C>,
): void {
  const serving: Serving<C> = {
    ...deps,
    guard,
    route,
    operation: { pattern, metrics: deps.metrics.operation(route.operationId) },
    routeBuckets:
      route.rateLimit === undefined
        ? undefined
        : new BucketTable(route.rateLimit, KEYS_TRACKED_MAX),
    takesBody: route.method !== 'GET' && route.method !== 'DELETE',
    bodyRule: bodyRuleOf(route, deps.serverContext.bodyBudgets),
    serializers: new Map(),
  };
  router.serve(route.method, pattern, (request, response, params) => {
    new ApiCall(serving, { request, response }, params).begin();
  });
}

function bodyRuleOf<C extends Caller>(
  route: Operation<C>,
  { small, large }: BodyBudgets,
): BodyRule {
  const bytesMax = route.bodyBytesMax ?? BODY_BYTES_MAX;
  return {
    need: bodyNeedOf(route),
    bytesMax,
    json: route.bodyShape ?? SMALL_JSON_LIMITS,
    budget: bytesMax > BODY_BYTES_MAX ? large : small,
    refuseLongList: route.refuseLongList,
  };
}

/**
 * A body that takes longer to arrive could outlive the key, session or role of its sender. What is known of a key may be
 * 800 ms old when it is admitted, and a revoked key must be refused within a second.
 */
const ADMISSION_LIFE_MS = 100;

/**
 * One call of the API, and the request that its operation receives. The steps are callbacks rather than one
 * async function: with a cached key and a small body, the call waits for no promise.
 */
class ApiCall<C extends Caller> implements ApiRequest<C>, Arrival {
  readonly #serving: Serving<C>;
  readonly #exchange: HttpExchange;
  #caller: C | undefined;
  #query: URLSearchParams | undefined;
  #admittedMs = 0;
  readonly params: PathParameters;
  body: JsonObject | undefined;
  upload: ReceivedUpload | undefined;

  constructor(
    serving: Serving<C>,
    arrived: Readonly<{ request: IncomingMessage; response: ServerResponse }>,
    params: PathParameters,
  ) {
    this.#serving = serving;
    this.#exchange = new HttpExchange(serving.serverContext, serving.operation, arrived);
    this.params = params;
    this.#caller = undefined;
    this.#query = undefined;
    this.body = undefined;
    this.upload = undefined;
  }

  get caller(): C {
    if (this.#caller === undefined) throw new Error('the call is not authenticated yet');
    return this.#caller;
  }

  get method(): string {
    return this.#exchange.request.method ?? '';
  }

  get headers(): Arrival['headers'] {
    return this.#exchange.request.headers;
  }

  get address(): string {
    return this.#exchange.address;
  }

  get isFromThisMachine(): Arrival['isFromThisMachine'] {
    return () => isFromThisMachine(this.#exchange.direct);
  }

  get isAbandoned(): ApiRequest['isAbandoned'] {
    return () => this.#exchange.isClosed || this.#serving.serverContext.isDraining();
  }

  get requestId(): string {
    return this.#exchange.id;
  }

  get query(): URLSearchParams {
    this.#query ??= readQuery(this.#exchange.request.url ?? '');
    return this.#query;
  }

  /** A getter, so that operations may destructure it from the request. */
  get header(): ApiRequest['header'] {
    const { headers } = this.#exchange.request;
    return (name) => {
      const value = headers[name.toLowerCase()];
      return typeof value === 'string' ? value : value?.join(', ');
    };
  }

  begin(): void {
    const { serverContext, guard, routeBuckets } = this.#serving;
    if (serverContext.isDraining()) {
      this.#exchange.fail(refuse('UNAVAILABLE'));
      return;
    }
    let found: ReturnType<Guard<C>['authenticate']>;
    try {
      found = guard.authenticate(this, this.#exchange.reply, routeBuckets);
    } catch (error) {
      this.#exchange.fail(error);
      return;
    }
    if (!(found instanceof Promise)) {
      this.#enter(found);
      return;
    }
    found.then(
      (caller) => this.#enter(caller),
      (error: unknown) => this.#exchange.fail(error),
    );
  }

  #enter(caller: C | undefined): void {
    const { guard, route, serverContext, routeBuckets, takesBody, bodyRule } = this.#serving;
    const { reply } = this.#exchange;
    try {
      if (caller === undefined) throw guard.refuseUnauthenticated(this);
      this.#caller = caller;
      this.#exchange.caller = caller;
      guard.admit(caller, this, reply, routeBuckets);
      this.#admittedMs = serverContext.monotonicMs();
      // A person who signs in has not proved anything yet.
      if (caller.actor.kind !== 'system') this.#exchange.prove();
    } catch (error) {
      this.#exchange.fail(error);
      return;
    }
    // The client disconnected while the database was queried.
    if (this.#exchange.isClosed) return;
    if (route.uploadBytesMax !== undefined) this.#readUpload(caller, route.uploadBytesMax);
    else if (takesBody) readBody(reply.raw, { rule: bodyRule, owner: ownerOf(caller) }, this);
    else this.#handle();
  }

  /** Called by the body reader. */
  receive(error: unknown, body: JsonObject | undefined, share: BodyShare | undefined): void {
    if (error !== undefined) {
      this.#exchange.fail(error);
      return;
    }
    if (share !== undefined) this.#exchange.keepMemory(() => share.close());
    this.body = body;
    this.#handleIfAdmitted();
  }

  #readUpload(caller: C, bytesMax: number): void {
    const { bodyBudgets, longRequests } = this.#serving.serverContext;
    const budget = bodyBudgets.uploads;
    const rule = { bytesMax, budget, longRequests, owner: ownerOf(caller) };
    readUpload(this.#exchange.reply.raw, rule, (error, upload) => {
      if (upload === undefined) {
        this.#exchange.fail(error);
        return;
      }
      this.#exchange.keepMemory(() => upload.release());
      this.upload = upload;
      this.#handleIfAdmitted();
    });
  }

  #handleIfAdmitted(): void {
    const { guard, serverContext } = this.#serving;
    const isFresh = serverContext.monotonicMs() - this.#admittedMs < ADMISSION_LIFE_MS;
    if (isFresh || guard.readmit === undefined) this.#handle();
    else void this.#readmit(guard.readmit(this.caller, this));
  }

  /** Never rejects. */
  async #readmit(readmitted: Promise<C>): Promise<void> {
    try {
      this.#caller = await readmitted;
    } catch (error) {
      this.#exchange.fail(error);
      return;
    }
    this.#handle();
  }

  #handle(): void {
    if (this.#exchange.isClosed) return;
    const owner = ownerOf(this.caller);
    try {
      this.#exchange.takePlace(owner);
    } catch (error) {
      this.#exchange.fail(error);
      return;
    }
    const queue = this.#findQueue();
    if (queue === undefined) void this.#work();
    else {
      queue.run(owner, {
        work: () => this.#work(),
        refuse: (code) => this.#exchange.fail(refuse(code)),
      });
    }
  }

  /** Where the call waits for its turn. Undefined: it begins at once, as payouts do. */
  #findQueue(): CallQueue | undefined {
    const { route, serverContext } = this.#serving;
    const { book } = this.caller;
    if (route.readsPage === true) return serverContext.pageQueues.of(book?.cell);
    if (route.method === 'GET' || route.isOfPayouts === true || book === undefined)
      return undefined;
    // Uploads wait for their checks, and take turns before and after that.
    if (route.uploadBytesMax !== undefined) return undefined;
    return serverContext.writeQueues.of(book.cell);
  }

  inTurn<T>(among: 'pages' | 'uploads', work: () => Promise<T>): Promise<T> {
    const { pageQueues, uploadQueues } = this.#serving.serverContext;
    const queue = (among === 'pages' ? pageQueues : uploadQueues).of(this.caller.book?.cell);
    const exchange = this.#exchange;
    // If its client leaves meanwhile, the call gives its place and its memory back at once.
    exchange.endWork();
    return queue.inTurn(ownerOf(this.caller), () => {
      if (exchange.isClosed) throw new ClientGone();
      exchange.beginWork();
      return work();
    });
  }

  /** Never rejects. */
  #work(): Promise<void> {
    // The client disconnected while the call waited in the queue.
    if (this.#exchange.isClosed) return Promise.resolve();
    this.#exchange.beginWork();
    // An async function does not throw synchronously; one that only returns a promise may.
    try {
      return this.#serving.route.handle(this).then(
        (answer) => this.#succeed(answer),
        (error: unknown) => this.#failWork(error),
      );
    } catch (error) {
      this.#failWork(error);
      return Promise.resolve();
    }
  }

  #failWork(error: unknown): void {
    this.#exchange.endWork();
    this.#exchange.fail(error);
  }

  #succeed(answer: ApiAnswer): void {
    this.#exchange.endWork();
    const { serverContext, route, serializers } = this.#serving;
    sendAnswer(this.#exchange, answer, {
      serverContext,
      caller: this.caller,
      queue: this.#findQueue(),
      serialize: (json) => serializeBy(serializers, route, json),
    });
  }
}

function serializeBy<C extends Caller>(
  serializers: Serving<C>['serializers'],
  route: Operation<C>,
  { status, message, data }: JsonAnswer,
): string {
  let serialize = serializers.get(status);
  if (serialize === undefined) {
    serialize = compileSerializer(route, status);
    serializers.set(status, serialize);
  }
  return serialize({ status: true, message, data });
}

function readQuery(url: string): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at === -1 ? '' : url.slice(at + 1));
}
