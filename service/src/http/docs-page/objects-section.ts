import type { OpenApiDocument } from '../openapi/openapi.ts';
import { html } from './html.ts';
import { fieldTable } from './operation-section.ts';
import type { ReferenceSection } from './reference-sections.ts';
import { listFields } from './schema-fields.ts';

/** What has a name and appears in more than one place. */
export function objectsSection({ components }: OpenApiDocument): ReferenceSection {
  const objects = Object.entries(components.schemas).map(
    ([name, schema]) => html`<h3 id="object-${name}">${name}</h3>
${fieldTable(name, listFields(schema, components.schemas))}
`,
  );
  return { id: 'objects', title: 'Objects', content: html`${objects}` };
}
