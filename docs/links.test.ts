import assert from 'node:assert/strict';
import { access, glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGES = ['*.md', 'docs/**/*.md', 'service/src/**/*.md', 'emulators/**/*.md'];
/** A link to a file of the project, without its `#place`. */
const LINK = /\]\((?<target>(?!https?:|mailto:|#)[^)\s#]+)(?:#[^)\s]*)?\)/g;

it('leads every link between our pages to a file that is there', async () => {
  const dead: string[] = [];
  let links = 0;
  for await (const page of glob(PAGES, { cwd: ROOT })) {
    const markdown = await readFile(join(ROOT, page), 'utf8');
    for (const { groups } of markdown.matchAll(LINK)) {
      const target = join(ROOT, dirname(page), groups?.target ?? '');
      links += 1;
      await access(target).catch(() => dead.push(`${page}: ${groups?.target}`));
    }
  }
  assert.deepEqual(dead, []);
  assert.ok(links > 20, `only ${links} links were found`);
});
