import type { FastifyInstance } from 'fastify';
import { refuse } from '../../domain/refusal.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { createMethodTable, pathOf } from './allowed-methods.ts';
import { FastPathReply } from './fast-path.ts';
import { HttpExchange, type ServerContext } from './http-exchange.ts';
import type { PageAnswer, ServicePage } from './service-pages.ts';

type ServingDeps = Readonly<{
  serverContext: ServerContext;
  metrics: Pick<Metrics, 'operation'>;
}>;

export function servePages(
  app: FastifyInstance,
  { serverContext, metrics }: ServingDeps,
  pages: readonly ServicePage[],
): void {
  for (const page of pages) {
    const operation = { pattern: page.path, metrics: metrics.operation(page.path) };
    app.get(page.path, (request, reply) => {
      const short = new FastPathReply(reply.hijack().raw);
      const exchange = new HttpExchange(serverContext, operation, { request, reply: short });
      void answerPage(exchange, page);
    });
  }
}

async function answerPage(exchange: HttpExchange, page: ServicePage): Promise<void> {
  let answer: PageAnswer;
  try {
    const path = pathOf(exchange.request.raw.url ?? '/');
    answer = await page.answer({ ...exchange.direct, address: exchange.address, path });
  } catch (error) {
    exchange.fail(error);
    return;
  }
  exchange.prepareAnswer();
  exchange.reply.code(answer.status).headers(answer.headers).send(answer.body);
  exchange.noteUnread();
}

/** Unknown paths, and known paths with a method that they do not take. Neither requires a key. */
export function serveEverythingElse(
  app: FastifyInstance,
  { serverContext, metrics }: ServingDeps,
  served: readonly Readonly<{ method: string; path: string }>[],
): void {
  const methodsOf = createMethodTable(served);
  const operation = { pattern: '(unknown)', metrics: metrics.operation('unknown') };
  app.setNotFoundHandler((request, reply) => {
    const exchange = new HttpExchange(serverContext, operation, { request, reply });
    const methods = methodsOf(request.raw.url ?? '/');
    if (methods.length === 0) {
      exchange.fail(refuse('NOT_FOUND'));
      return;
    }
    reply.header('allow', methods.join(', '));
    exchange.fail(refuse('METHOD_NOT_ALLOWED'));
  });
}
