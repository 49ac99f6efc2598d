import type { FastifyInstance, FastifyReply } from 'fastify';
import { refuse } from '../../domain/refusal.ts';
import type { AuthenticatedKey } from '../../merchants/authenticated-key.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { type ApiKeyGuard, KEYS_TRACKED_MAX } from './api-key-guard.ts';
import type { ApiAnswer, ApiOperation, ApiRequest } from './api-operation.ts';
import type { BodyBudgets } from './body-budget.ts';
import { responseSchemas } from './envelope-schema.ts';
import { FastPathReply, FastPathRequest, type FastPaths } from './fast-path.ts';
import {
  HttpExchange,
  type HttpExchangeRequest,
  type ObservedOperation,
  type ServerContext,
} from './http-exchange.ts';
import { SMALL_JSON_LIMITS } from './json-limits.ts';
import { type BodyRule, readBody } from './read-body.ts';
import { serializerSchema } from './serializer-schema.ts';
import { BODY_BYTES_MAX } from './server-limits.ts';
import type { JsonObject } from './strict-json.ts';
import { BucketTable } from './token-bucket.ts';

export const API_PREFIX = '/api/v1/payments';

type ServingDeps = Readonly<{
  serverContext: ServerContext;
  guard: ApiKeyGuard;
  metrics: Pick<Metrics, 'operation'>;
  fastPaths: FastPaths;
  newRequestId: () => string;
}>;

type Serialize = (envelope: { status: true; message: string; data: unknown }) => string;

type Serving = Readonly<{
  serverContext: ServerContext;
  guard: ApiKeyGuard;
  route: ApiOperation;
  operation: ObservedOperation;
  routeBuckets: BucketTable | undefined;
  takesBody: boolean;
  bodyRule: BodyRule;
  /** By status. The framework compiles them and provides them with the first call. */
  serializers: Map<number, Serialize>;
}>;

export function serveOperation(app: FastifyInstance, deps: ServingDeps, route: ApiOperation): void {
  const pattern = API_PREFIX + route.path;
  const serving: Serving = {
    ...deps,
    route,
    operation: { pattern, metrics: deps.metrics.operation(route.operationId) },
    routeBuckets:
      route.rateLimit === undefined
        ? undefined
        : new BucketTable(route.rateLimit, KEYS_TRACKED_MAX),
    takesBody: route.method === 'POST' || route.method === 'PATCH',
    bodyRule: bodyRuleOf(route, deps.serverContext.bodyBudgets),
    serializers: new Map(),
  };
  const hasParameters = route.path.includes(':');
  app.route<{ Params: Record<string, string> }>({
    method: route.method,
    url: pattern,
    schema: { response: serializerSchema(responseSchemas(route)) },
    handler(request, reply) {
      takeSerializers(serving, reply);
      reply.hijack();
      new ApiCall(serving, request, new FastPathReply(reply.raw), request.params).begin();
      if (hasParameters) return;
      deps.fastPaths.open(route.method, pattern, (raw, response) => {
        const shortened = new FastPathRequest(deps.newRequestId(), raw);
        new ApiCall(serving, shortened, new FastPathReply(response), NO_PARAMETERS).begin();
      });
    },
  });
}

function bodyRuleOf(route: ApiOperation, { small, large }: BodyBudgets): BodyRule {
  const bytesMax = route.bodyBytesMax ?? BODY_BYTES_MAX;
  return {
    isNeeded: route.schema.body !== undefined,
    bytesMax,
    json: route.bodyShape ?? SMALL_JSON_LIMITS,
    budget: bytesMax > BODY_BYTES_MAX ? large : small,
    refuseLongList: route.refuseLongList,
  };
}

const NO_PARAMETERS: Readonly<Record<string, string>> = {};

function takeSerializers({ route, serializers }: Serving, reply: FastifyReply): void {
  if (serializers.size > 0) return;
  for (const status of Object.keys(route.schema.data)) {
    const serialize = reply.getSerializationFunction(status);
    if (serialize === undefined) throw new Error(`${route.operationId}: no schema for ${status}`);
    serializers.set(Number(status), serialize);
  }
}

/**
 * One call of the merchant API, and the request that its operation receives. The steps are callbacks rather than one
 * async function: with a cached key and a small body, the call waits for no promise.
 */
class ApiCall implements ApiRequest {
  readonly #serving: Serving;
  readonly #exchange: HttpExchange;
  #key: AuthenticatedKey | undefined;
  #query: URLSearchParams | undefined;
  readonly params: Readonly<Record<string, string>>;
  body: JsonObject | undefined;

  constructor(
    serving: Serving,
    request: HttpExchangeRequest,
    reply: FastPathReply,
    params: Readonly<Record<string, string>>,
  ) {
    this.#serving = serving;
    this.#exchange = new HttpExchange(serving.serverContext, serving.operation, { request, reply });
    this.params = params;
    this.#key = undefined;
    this.#query = undefined;
    this.body = undefined;
  }

  get key(): AuthenticatedKey {
    if (this.#key === undefined) throw new Error('the call is not authenticated yet');
    return this.#key;
  }

  get requestId(): string {
    return this.#exchange.request.id;
  }

  get query(): URLSearchParams {
    this.#query ??= readQuery(this.#exchange.request.raw.url ?? '');
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
    const { serverContext, guard } = this.#serving;
    if (serverContext.isDraining()) {
      this.#exchange.fail(refuse('UNAVAILABLE'));
      return;
    }
    const { request, address } = this.#exchange;
    const found = guard.authenticate(request.headers['x-api-key'], address);
    if (!(found instanceof Promise)) {
      this.#enter(found);
      return;
    }
    found.then(
      (key) => this.#enter(key),
      (error: unknown) => this.#exchange.fail(error),
    );
  }

  #enter(key: AuthenticatedKey | undefined): void {
    const { guard, route, routeBuckets, takesBody, bodyRule } = this.#serving;
    const { reply, address } = this.#exchange;
    try {
      if (key === undefined) throw guard.refuseUnauthenticated(address);
      this.#key = key;
      this.#exchange.key = key;
      guard.admit({ key, address, scope: route.scope, routeBuckets }, reply);
      this.#exchange.prove();
    } catch (error) {
      this.#exchange.fail(error);
      return;
    }
    if (takesBody) readBody(reply.raw, { rule: bodyRule, owner: key.id }, this);
    else this.#handle();
  }

  /** Called by the body reader. */
  receive(error: unknown, body: JsonObject | undefined): void {
    if (error !== undefined) {
      this.#exchange.fail(error);
      return;
    }
    this.body = body;
    this.#handle();
  }

  #handle(): void {
    const { route, serverContext } = this.#serving;
    try {
      this.#exchange.beginWork(this.key.id);
    } catch (error) {
      this.#exchange.fail(error);
      return;
    }
    if (route.readsPage === true) serverContext.pageQueue.run(this.key.id, () => this.#work());
    else void this.#work();
  }

  /** Never rejects. */
  #work(): Promise<void> {
    // The client disconnected while the call waited in the queue.
    if (this.#exchange.reply.raw.destroyed) return Promise.resolve();
    // An async function does not throw synchronously; one that only returns a promise may.
    try {
      return this.#serving.route.handle(this).then(
        (answer) => this.#succeed(answer),
        (error: unknown) => this.#exchange.fail(error),
      );
    } catch (error) {
      this.#exchange.fail(error);
      return Promise.resolve();
    }
  }

  #succeed(answer: ApiAnswer): void {
    try {
      const { reply } = this.#exchange;
      this.#exchange.prepareAnswer();
      reply.code(answer.status).header('cache-control', 'no-store');
      if (answer.headers !== undefined) reply.headers(answer.headers);
      if ('text' in answer) reply.header('content-type', answer.contentType).send(answer.text);
      else reply.header('content-type', JSON_TYPE).send(this.#serialize(answer));
      this.#exchange.noteUnread();
    } catch (error) {
      this.#exchange.fail(error);
    }
  }

  #serialize({ status, message, data }: Extract<ApiAnswer, { data: unknown }>): string {
    const serialize = this.#serving.serializers.get(status);
    if (serialize === undefined) throw new Error(`the route declares no data for ${status}`);
    return serialize({ status: true, message, data });
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';

function readQuery(url: string): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at === -1 ? '' : url.slice(at + 1));
}
