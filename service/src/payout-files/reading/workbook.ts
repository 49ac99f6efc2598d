import { FileUnreadable } from './file-unreadable.ts';
import { storableText } from './storable-text.ts';
import {
  CELL_FORMATS_MAX,
  CELL_LENGTH_MAX,
  NUMBER_FORMATS_MAX,
  RELATIONS_MAX,
  SHARED_TEXTS_MAX,
  SHEETS_MAX,
  TEXT_LENGTH_MAX,
} from './table-limits.ts';
import { attributeOf, type XmlHandler, XmlScanner } from './xml-scanner.ts';
import type { ZipArchive } from './zip-archive.ts';

/** A sheet that people see, and where its rows are. */
type Sheet = Readonly<{ name: string; path: string }>;

/** What cells refer to. */
export type Workbook = Readonly<{
  sheets: readonly Sheet[];
  texts: readonly string[];
  /** By the number of a cell's style: whether its number is a date. */
  dateStyles: readonly boolean[];
}>;

const WORKBOOK_PATH = 'xl/workbook.xml';
const NAME_LENGTH_MAX = 100;

/** Thrown to end the reading of a part of which the rest is not needed. */
export class StopReading extends Error {}

/** Hands a part of the workbook to the handler. */
export async function readPart(zip: ZipArchive, path: string, handler: XmlHandler): Promise<void> {
  const scanner = new XmlScanner(handler);
  try {
    for await (const piece of zip.read(path)) scanner.feed(piece);
    scanner.end();
  } catch (error) {
    if (!(error instanceof StopReading)) throw error;
  }
}

export async function readWorkbook(zip: ZipArchive): Promise<Workbook> {
  const path = await findWorkbook(zip);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const relations = await readRelations(zip, `${folder}_rels/${path.slice(folder.length)}.rels`);
  const targetOf = (type: string) =>
    [...relations.values()].find((relation) => relation.type === type)?.target;
  const textsAt = resolvePath(folder, targetOf('sharedStrings') ?? 'sharedStrings.xml');
  const stylesAt = resolvePath(folder, targetOf('styles') ?? 'styles.xml');
  return {
    sheets: await readSheets(zip, path, (id) => {
      const target = relations.get(id)?.target;
      return target === undefined ? undefined : resolvePath(folder, target);
    }),
    texts: zip.has(textsAt) ? await readTexts(zip, textsAt) : [],
    dateStyles: zip.has(stylesAt) ? await readDateStyles(zip, stylesAt) : [],
  };
}

type Relation = Readonly<{ type: string; target: string }>;

async function findWorkbook(zip: ZipArchive): Promise<string> {
  const relations = await readRelations(zip, '_rels/.rels');
  const { target } = [...relations.values()].find(({ type }) => type === 'officeDocument') ?? {};
  const path = target === undefined ? WORKBOOK_PATH : resolvePath('', target);
  // A ZIP archive of something else, such as a document or an OpenDocument sheet.
  if (!zip.has(path) || !path.endsWith('.xml')) throw new FileUnreadable('NOT_A_TABLE');
  return path;
}

async function readRelations(
  zip: ZipArchive,
  path: string,
): Promise<ReadonlyMap<string, Relation>> {
  const relations = new Map<string, Relation>();
  if (!zip.has(path)) return relations;
  await readPart(zip, path, {
    open(name, attributes) {
      if (name !== 'Relationship') return;
      const id = attributeOf(attributes, 'Id');
      const target = attributeOf(attributes, 'Target');
      if (id === undefined || target === undefined) return;
      if (relations.size >= RELATIONS_MAX) throw tooMany('parts', RELATIONS_MAX);
      const type = attributeOf(attributes, 'Type') ?? '';
      relations.set(id, { type: type.slice(type.lastIndexOf('/') + 1), target });
    },
    close: ignore,
    text: ignore,
  });
  return relations;
}

function resolvePath(folder: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1);
  const parts: string[] = [];
  for (const part of (folder + target).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

async function readSheets(
  zip: ZipArchive,
  path: string,
  pathOf: (relationId: string) => string | undefined,
): Promise<readonly Sheet[]> {
  const sheets: Sheet[] = [];
  await readPart(zip, path, {
    open(name, attributes) {
      if (name !== 'sheet') return;
      const state = attributeOf(attributes, 'state') ?? 'visible';
      const at = pathOf(attributeOf(attributes, 'id') ?? '');
      if (state !== 'visible' || at === undefined || !zip.has(at)) return;
      if (sheets.length >= SHEETS_MAX) throw new StopReading();
      const title = attributeOf(attributes, 'name') ?? '';
      sheets.push({ name: storableText(title, NAME_LENGTH_MAX), path: at });
    },
    close: ignore,
    text: ignore,
  });
  return sheets;
}

/** The texts that cells share. One may have several runs, each with its own font; phonetic hints are left out. */
async function readTexts(zip: ZipArchive, path: string): Promise<readonly string[]> {
  const texts: string[] = [];
  let text = '';
  let isText = false;
  let isHint = false;
  let length = 0;
  await readPart(zip, path, {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 't') isText = true;
      else if (name === 'rPh') isHint = true;
    },
    close(name) {
      if (name === 't') isText = false;
      else if (name === 'rPh') isHint = false;
      else if (name === 'si') {
        texts.push(decodeEscapes(text));
        length += text.length;
        if (texts.length > SHARED_TEXTS_MAX || length > TEXT_LENGTH_MAX) {
          throw new FileUnreadable('TOO_MUCH_TEXT');
        }
      }
    },
    text(part) {
      if (isText && !isHint && text.length < CELL_LENGTH_MAX) {
        text += part.slice(0, CELL_LENGTH_MAX);
      }
    },
  });
  return texts;
}

/** Characters that XML does not have are written `_x000D_`. */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** The numbers of formats that are dates in every workbook. */
const isDateFormat = (id: number): boolean =>
  (id >= 14 && id <= 22) ||
  (id >= 27 && id <= 36) ||
  (id >= 45 && id <= 47) ||
  (id >= 50 && id <= 58);

async function readDateStyles(zip: ZipArchive, path: string): Promise<readonly boolean[]> {
  const ownDates = new Set<number>();
  const styles: boolean[] = [];
  let isInCells = false;
  await readPart(zip, path, {
    open(name, attributes) {
      if (name === 'cellXfs') isInCells = true;
      else if (name === 'numFmt' && namesDate(attributeOf(attributes, 'formatCode') ?? '')) {
        if (ownDates.size >= NUMBER_FORMATS_MAX) {
          throw tooMany('formats of numbers', NUMBER_FORMATS_MAX);
        }
        ownDates.add(Number(attributeOf(attributes, 'numFmtId')));
      } else if (name === 'xf' && isInCells) {
        if (styles.length >= CELL_FORMATS_MAX) throw tooMany('formats of cells', CELL_FORMATS_MAX);
        const id = Number(attributeOf(attributes, 'numFmtId') ?? 0);
        styles.push(isDateFormat(id) || ownDates.has(id));
      }
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false;
    },
    text: ignore,
  });
  return styles;
}

function tooMany(what: string, max: number): FileUnreadable {
  const detail = `It has more than ${max.toLocaleString('en')} ${what}.`;
  return new FileUnreadable('EXPANDS_TOO_MUCH', detail);
}

/** Whether a format of the workbook's own shows years, days or hours, outside of what it quotes. */
function namesDate(code: string): boolean {
  return /[ymdhs]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, ''));
}

function ignore(): void {}
