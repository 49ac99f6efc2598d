import type { IncomingMessage, ServerResponse } from 'node:http';
import findMyWay, {
  type Handler,
  type HTTPMethod,
  type HTTPVersion,
  type Instance,
} from 'find-my-way';
import { PATH_PARAMETER_LENGTH_MAX } from './server-limits.ts';

export type PathParameters = Readonly<Record<string, string>>;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
type AnswerAt = (
  request: IncomingMessage,
  response: ServerResponse,
  params: PathParameters,
) => void;

type OtherAnswers = Readonly<{
  /** No operation has this path and method. */
  unknown: Answer;
  /** The path holds an escape that cannot be decoded. */
  undecodable: Answer;
  /** One part of the path is longer than any name or id. */
  overlong: Answer;
}>;

/** Finds what answers a request by its method and path. */
export class Router {
  readonly #tree: Instance<HTTPVersion.V1>;
  /** By each method that is served, the paths without parameters: looking there first takes a tenth of the time. */
  readonly #fixed = new Map<HTTPMethod, Map<string, AnswerAt>>();

  constructor({ unknown, undecodable, overlong }: OtherAnswers) {
    this.#tree = findMyWay({
      maxParamLength: PATH_PARAMETER_LENGTH_MAX,
      // Operations read the query themselves, from the URL.
      querystringParser: () => NO_QUERY,
      defaultRoute: unknown,
      onBadUrl: (_, request, response) => undecodable(request, response),
      onMaxParamLength: (_, request, response) => overlong(request, response),
    });
  }

  /** What answers GET answers HEAD too; Node leaves out the body. */
  serve(method: HTTPMethod, path: string, answer: AnswerAt): void {
    for (const served of method === 'GET' ? (['GET', 'HEAD'] as const) : [method]) {
      // Its types allow for optional parameters, and no path here has one.
      this.#tree.on(served, path, answer as Handler<HTTPVersion.V1>);
      const fixed = this.#fixed.get(served) ?? new Map<string, AnswerAt>();
      this.#fixed.set(served, fixed);
      if (!HAS_PARAMETERS.test(path)) fixed.set(path, answer);
    }
  }

  route(request: IncomingMessage, response: ServerResponse): void {
    // A method that is not served is not found.
    const answer = this.#fixed.get(request.method as HTTPMethod)?.get(request.url ?? '');
    if (answer === undefined) this.#tree.lookup(request, response);
    else answer(request, response, NO_PARAMETERS);
  }

  /** The methods that a URL can be called with, for a request with another one. */
  methodsAt(url: string): readonly string[] {
    return [...this.#fixed.keys()].filter((method) => this.#names(method, url)).sort();
  }

  /** A path that ends where its last parameter should stand names nothing. */
  #names(method: HTTPMethod, url: string): boolean {
    const found = this.#tree.find(method, url);
    if (found === null) return false;
    return Object.entries(found.params).every(([name, value]) => name === '*' || value !== '');
  }
}

const HAS_PARAMETERS = /[:*]/;
const NO_PARAMETERS: PathParameters = Object.freeze({});
const NO_QUERY = Object.freeze({});
