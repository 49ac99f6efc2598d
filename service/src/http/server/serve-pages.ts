import type { Metrics } from '../../telemetry/metrics.ts';
import { HttpExchange, type ServerContext } from './http-exchange.ts';
import type { Router } from './router.ts';
import type { PageAnswer, ServicePage } from './service-pages.ts';

type ServingDeps = Readonly<{
  serverContext: ServerContext;
  metrics: Pick<Metrics, 'operation'>;
}>;

export function servePages(
  router: Router,
  { serverContext, metrics }: ServingDeps,
  pages: readonly ServicePage[],
): void {
  for (const page of pages) {
    const operation = { pattern: page.path, metrics: metrics.operation(page.path) };
    router.serve('GET', page.path, (request, response) => {
      void answerPage(new HttpExchange(serverContext, operation, { request, response }), page);
    });
  }
}

async function answerPage(exchange: HttpExchange, page: ServicePage): Promise<void> {
  let answer: PageAnswer;
  try {
    const path = pathOf(exchange.request.url ?? '/');
    answer = await page.answer({ ...exchange.direct, address: exchange.address, path });
  } catch (error) {
    exchange.fail(error);
    return;
  }
  exchange.prepareAnswer();
  exchange.reply.code(answer.status).headers(answer.headers).send(answer.body);
  exchange.noteUnread();
}

/** Without the query. */
function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}
