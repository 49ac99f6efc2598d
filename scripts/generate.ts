import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { renderConnectorSettings } from '../docs/generators/connector-settings.ts';
import { renderDocsPage, renderPeoplePage } from '../docs/generators/docs-page/render-docs-page.ts';
import { renderErrorCodes } from '../docs/generators/error-codes.ts';
import { EVENT_SCHEMAS } from '../docs/generators/event-schemas.ts';
import { describeService, renderOpenApi } from '../docs/generators/openapi/render-openapi.ts';
import { renderRouteFileSchema } from '../docs/generators/route-file-schema.ts';
import { renderTransferStates } from '../docs/generators/transfer-states.ts';

/** Files that are generated from the code, committed, and compared by the tests. */
const GENERATED: Readonly<Record<string, () => string>> = {
  'docs/transfer-states.md': renderTransferStates,
  'docs/error-codes.md': renderErrorCodes,
  'docs/connector-settings.md': renderConnectorSettings,
  'docs/route-file.schema.json': renderRouteFileSchema,
  'service/openapi.json': renderOpenApi,
  'service/docs.html': () => renderDocsPage(describeService()),
  'service/docs-people.html': () => renderPeoplePage(describeService()),
  ...EVENT_SCHEMAS,
};

const onlyCheck = process.argv.includes('--check');
let stale = 0;

for (const [name, render] of Object.entries(GENERATED)) {
  const path = fileURLToPath(new URL(`../${name}`, import.meta.url));
  const wanted = render();
  const found = await readFile(path, 'utf8').catch(() => '');
  if (found === wanted) continue;
  if (onlyCheck) {
    stale += 1;
    process.stderr.write(`${name} is not what the code says. Run: npm run generate\n`);
    continue;
  }
  await writeFile(path, wanted);
  process.stdout.write(`wrote ${name}\n`);
}
process.exitCode = stale === 0 ? 0 : 1;
