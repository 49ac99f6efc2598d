import { createHash } from 'node:crypto';
import type { OpenApiDocument } from '../openapi/openapi.ts';
import { type Html, html } from './html.ts';
import { INTRODUCTION_SECTIONS, introduction } from './introduction.ts';
import { objectsSection } from './objects-section.ts';
import { type Endpoint, methodBadge, operationSection } from './operation-section.ts';
import { type ReferenceSection, referenceSections } from './reference-sections.ts';
import { STYLE } from './style.ts';

export type DocsPage = Readonly<{ html: string; contentSecurityPolicy: string }>;

type Chapter = Readonly<{
  id: string;
  title: string;
  description: string;
  endpoints: readonly Endpoint[];
}>;

/** The documentation as one page that needs nothing else: no script, no font, no other address. */
export function buildDocsPage(document: OpenApiDocument): DocsPage {
  const chapters = listChapters(document);
  const sections = [objectsSection(document), ...referenceSections()];
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${document.info.title}: API</title>
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div class="side">
<header>
<p class="name"><a href="#content">${document.info.title}</a></p>
<p class="version">API ${document.info.version} · <a href="/openapi.json">openapi.json</a></p>
</header>
${navigation(chapters, sections)}
</div>
<main id="content" tabindex="-1">
<h1>${document.info.summary}</h1>
${introduction()}
${chapters.map((chapter) => chapterSection(chapter, document))}
${sections.map(
  ({ id, title, content }) => html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${content}
</section>
`,
)}
</main>
</body>
</html>
`;
  return { html: page.text, contentSecurityPolicy: policy() };
}

function policy(): string {
  const hash = createHash('sha256').update(STYLE.text).digest('base64');
  const rules = ["default-src 'none'", `style-src 'sha256-${hash}'`, "base-uri 'none'"];
  return [...rules, "form-action 'none'", "frame-ancestors 'none'"].join('; ');
}

function listChapters(document: OpenApiDocument): readonly Chapter[] {
  const endpoints: readonly Endpoint[] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  return document.tags.map(({ name, description }) => ({
    id: name.toLowerCase(),
    title: name,
    description,
    endpoints: endpoints.filter(({ operation }) => operation.tags.includes(name)),
  }));
}

function navigation(chapters: readonly Chapter[], sections: readonly ReferenceSection[]): Html {
  return html`<nav aria-label="Contents">
${navigationGroup('Guide', INTRODUCTION_SECTIONS.map(sectionLink))}
${chapters.map(({ title, endpoints }) => navigationGroup(title, endpoints.map(endpointLink)))}
${navigationGroup('Reference', sections.map(sectionLink))}
</nav>`;
}

function navigationGroup(title: string, items: readonly Html[]): Html {
  return html`<p class="group">${title}</p><ul>${items}</ul>
`;
}

function sectionLink({ id, title }: Readonly<{ id: string; title: string }>): Html {
  return html`<li><a href="#${id}">${title}</a></li>`;
}

function endpointLink({ method, operation }: Endpoint): Html {
  return html`<li><a href="#${operation.operationId}">${methodBadge(method)} ${operation.summary}</a></li>`;
}

function chapterSection(chapter: Chapter, document: OpenApiDocument): Html {
  return html`<section id="${chapter.id}" aria-labelledby="${chapter.id}-title">
<h2 id="${chapter.id}-title">${chapter.title}</h2>
<p class="lead">${chapter.description}</p>
${chapter.endpoints.map((endpoint) => operationSection(endpoint, document))}
</section>
`;
}
