import type { ApprovalItem, ApprovalView } from '../api/control-types.ts';
import type { Page } from '../api/page.ts';

const PAGES_MAX = 20;

type Query = Readonly<{ view: ApprovalView; limit: number; cursor?: string }>;

/**
 * The first page of approvals with at least one. The service examines a bounded number of approvals for a page, and
 * those for this person may come later, so an empty page with a cursor does not mean that nothing waits.
 */
export async function askApprovals(
  ask: (query: Query) => Promise<Page<ApprovalItem>>,
  query: Omit<Query, 'cursor'>,
): Promise<Page<ApprovalItem>> {
  let page = await ask(query);
  for (let pages = 1; pages < PAGES_MAX; pages += 1) {
    if (page.items.length > 0 || page.nextCursor === null) break;
    page = await ask({ ...query, cursor: page.nextCursor });
  }
  return page;
}
