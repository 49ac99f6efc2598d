import { readFileSync } from 'node:fs';
import type { OpenApiDocument } from '../openapi/openapi-document.ts';
import { ORIGIN_TEXT } from './code-panel.ts';
import { Html, html, type Section, section } from './html.ts';
import { introduction, TEST_NUMBERS_LINK } from './introduction.ts';
import { type Endpoint, methodBadge, operationSection } from './operation-section.ts';
import { peopleIntroduction } from './people-introduction.ts';
import { peopleReference, programReference } from './reference-sections.ts';
import { type DocumentPart, splitDocument } from './split-document.ts';

const STYLE = html`${readText('tokens.css')}${readText('style.css')}`;
const SCRIPT = readText('script.js');

/** Without indentation: only its authors need it. */
function readText(name: string): Html {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8');
  return new Html(text.replace(/^\s+/gm, ''));
}

const PROGRAMS_PATH = '/docs';
const PEOPLE_PATH = '/docs/people';

type Place = Pick<Section, 'id' | 'title'>;

type Chapter = Readonly<{
  id: string;
  title: string;
  description: string;
  endpoints: readonly Endpoint[];
}>;

/** What a page says beside its operations. */
type Page = Readonly<{
  part: DocumentPart;
  title: string;
  headline: string;
  start: readonly Section[];
  reference: readonly Section[];
  /** Where the other page is, and what to call it. */
  other: Readonly<{ path: string; name: string }>;
  lead: Html;
}>;

/** The page for developers: what programs call with a key. */
export function renderDocsPage(document: OpenApiDocument): string {
  const { programs } = splitDocument(document);
  const { title, summary } = document.info;
  return renderPage({
    part: programs,
    title: `${title}: API`,
    headline: summary,
    start: introduction(),
    reference: programReference(programs),
    other: { path: PEOPLE_PATH, name: 'For people' },
    lead: html`For programs with a key. What people and the console call has <a href="${PEOPLE_PATH}">a page of its own</a>.`,
  });
}

/** The page of the operations that people and the console call, with a session. */
export function renderPeoplePage(document: OpenApiDocument): string {
  const { people } = splitDocument(document);
  const { title } = document.info;
  const page = renderPage({
    part: people,
    title: `${title}: API for people`,
    headline: 'For people and the console',
    start: peopleIntroduction(),
    reference: peopleReference(people),
    other: { path: PROGRAMS_PATH, name: 'For programs' },
    lead: html`Calls that need a session, not a key. What <a href="${PROGRAMS_PATH}">programs call with a key</a> works with a session, too.`,
  });
  return linkElsewhere(page, PROGRAMS_PATH);
}

/** Leads links to what this page does not explain to the page that does. */
function linkElsewhere(page: string, path: string): string {
  const own = new Set([...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id));
  return page.replace(/href="#([^"]*)"/g, (whole, id: string) =>
    own.has(id) ? whole : `href="${path}#${id}"`,
  );
}

/**
 * One page with its style and its script inside. It needs no other address, so it can be read offline, and its policy
 * allows nothing else.
 */
function renderPage({ part, title, headline, start, reference, other, lead }: Page): string {
  const { document } = part;
  const startLinks: readonly Place[] = start.flatMap((one) =>
    one.more === undefined ? [one] : [one, TEST_NUMBERS_LINK],
  );
  const chapters = listChapters(document);
  const isObject = ({ id }: Section) => id.startsWith('object-');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<a class="brand" href="#top">${WAVES}${document.info.title} <span>API ${document.info.version}</span></a>
<button class="menu-button" type="button" popovertarget="menu">Contents<span class="here"></span></button>
<p class="served">${ORIGIN_TEXT}<a href="${other.path}">${other.name}</a><a href="/openapi.json">openapi.json</a></p>
</header>
<nav id="menu" popover aria-label="Contents">
<p class="filter" hidden><label class="unseen" for="filter">Filter the contents</label><input id="filter" type="search" placeholder="Filter" autocomplete="off" aria-describedby="filter-result"><kbd aria-hidden="true">/</kbd></p>
<p id="filter-result" role="status"></p>
${menuGroup('Start', startLinks.map(sectionLink))}
${chapters.map((chapter) => menuGroup(chapter.title, chapter.endpoints.map(endpointLink)))}
${menuGroup('Reference', reference.filter((one) => !isObject(one)).map(sectionLink))}
${menuGroup('Objects', reference.filter(isObject).map(sectionLink))}
</nav>
<main id="content" tabindex="-1">
<h1 id="top">${headline}</h1>
<p class="lead">${lead}</p>
${start.map(section)}
${chapters.map((chapter) => chapterSection(chapter, document))}
${reference.map(section)}
</main>
<p id="told" class="unseen" role="status"></p>
<script>${SCRIPT}</script>
</body>
</html>
`.text;
}

/** The river, as in the console. */
const WAVES = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3 7c3.5-3 5.5-3 9 0s5.5 3 9 0"/><path d="M3 13c3.5-3 5.5-3 9 0s5.5 3 9 0" opacity=".75"/><path d="M3 19c3.5-3 5.5-3 9 0s5.5 3 9 0" opacity=".5"/></svg>`;

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

function menuGroup(title: string, items: readonly Html[]): Html {
  return html`<details open><summary>${title}</summary><ul>
${items}</ul></details>
`;
}

function sectionLink({ id, title }: Place): Html {
  return html`<li><a href="#${id}">${title}</a></li>
`;
}

/** The path is there for the filter, so that `wallets` finds the statement too. */
function endpointLink({ method, path, operation }: Endpoint): Html {
  const { operationId, summary } = operation;
  return html`<li><a href="#${operationId}" data-path="${path}">${summary}${methodBadge(method)}</a></li>
`;
}

function chapterSection(chapter: Chapter, document: OpenApiDocument): Html {
  return html`<section id="${chapter.id}" class="chapter" aria-labelledby="${chapter.id}-title">
<h2 id="${chapter.id}-title">${chapter.title}</h2>
<p class="lead">${chapter.description}</p>
${chapter.endpoints.map((endpoint) => operationSection(endpoint, document))}
</section>
`;
}
