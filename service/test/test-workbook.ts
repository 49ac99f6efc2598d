import { crc32, deflateRawSync } from 'node:zlib';

/** Builds workbooks byte by byte, sharing no line with what reads them. */

type Part = Readonly<{ name: string; bytes: Buffer }>;

type ZipOptions = Readonly<{
  /** What the directory says about the unpacked size, instead of the truth. */
  declaredBytes?: (part: Part) => number;
  isStored?: boolean;
}>;

export function zip(
  parts: readonly Part[],
  { declaredBytes, isStored = false }: ZipOptions = {},
): Buffer {
  const chunks: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const name = Buffer.from(part.name);
    const packed = isStored ? part.bytes : deflateRawSync(part.bytes);
    const sizes = Buffer.alloc(16);
    sizes.writeUInt16LE(isStored ? 0 : 8, 0);
    sizes.writeUInt32LE(crc32(part.bytes), 4);
    sizes.writeUInt32LE(packed.length, 8);
    sizes.writeUInt32LE(declaredBytes?.(part) ?? part.bytes.length, 12);
    const middle = Buffer.concat([
      sizes.subarray(0, 2),
      Buffer.alloc(4),
      sizes.subarray(4),
      Buffer.from([name.length, 0, 0, 0]),
    ]);
    const local = Buffer.concat([
      Buffer.from('PK\u0003\u0004\u0014\0\0\0', 'latin1'),
      middle,
      name,
    ]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([
        Buffer.from('PK\u0001\u0002\u0014\0\u0014\0\0\0', 'latin1'),
        middle,
        place,
        name,
      ]),
    );
    chunks.push(local, packed);
    offset += local.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...chunks, listed, Buffer.from('PK\u0005\u0006', 'latin1'), end]);
}

/** A text, a number, or the XML of a cell whose position is put for `@`. */
export type WorkbookCell = string | number | Readonly<{ xml: string }> | null;

type SheetPlan = Readonly<{
  name: string;
  rows: readonly (readonly WorkbookCell[])[];
  isHidden?: boolean;
  /** Rows, counted from 1, that a person hid. */
  hiddenRows?: readonly number[];
}>;

type WorkbookPlan = Readonly<{
  sheets: readonly SheetPlan[];
  /** The XML of shared strings and of styles, where a test needs its own. */
  sharedStrings?: string;
  styles?: string;
}>;

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** The parts of a workbook as Excel lays them out. */
export function workbookParts({ sheets, sharedStrings, styles }: WorkbookPlan): readonly Part[] {
  const texts: string[] = [];
  const part = (name: string, xml: string): Part => ({ name, bytes: Buffer.from(HEAD + xml) });
  const sheetParts = sheets.map((sheet, index) =>
    part(`xl/worksheets/sheet${index + 1}.xml`, sheetXml(sheet, texts)),
  );
  const relations = sheets.map(
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  );
  return [
    part(
      '[Content_Types].xml',
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    ),
    part(
      '_rels/.rels',
      `<Relationships xmlns="${PACKAGE}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    part(
      'xl/workbook.xml',
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets
        .map(
          ({ name, isHidden }, index) =>
            `<sheet name="${escape(name)}" sheetId="${index + 1}"${isHidden === true ? ' state="hidden"' : ''} r:id="rId${index + 1}"/>`,
        )
        .join('')}</sheets></workbook>`,
    ),
    part(
      'xl/_rels/workbook.xml.rels',
      `<Relationships xmlns="${PACKAGE}">${relations.join('')}<Relationship Id="rId90" Type="${OFFICE}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="rId91" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    ),
    ...sheetParts,
    part(
      'xl/sharedStrings.xml',
      sharedStrings ??
        `<sst xmlns="${MAIN}" count="${texts.length}" uniqueCount="${texts.length}">${texts
          .map((text) => `<si><t xml:space="preserve">${escape(text)}</t></si>`)
          .join('')}</sst>`,
    ),
    part(
      'xl/styles.xml',
      styles ??
        `<styleSheet xmlns="${MAIN}"><cellXfs count="1"><xf numFmtId="0"/></cellXfs></styleSheet>`,
    ),
  ];
}

export function workbook(plan: WorkbookPlan): Buffer {
  return zip(workbookParts(plan));
}

/** A workbook whose only sheet holds this XML. */
export function workbookWithSheet(xml: string): Buffer {
  const bytes = Buffer.from(`<worksheet><sheetData>${xml}</sheetData></worksheet>`);
  const parts = workbookParts({ sheets: [{ name: 'One', rows: [] }] });
  return zip(parts.map((part) => (part.name.endsWith('sheet1.xml') ? { ...part, bytes } : part)));
}

function sheetXml({ rows, hiddenRows = [] }: SheetPlan, texts: string[]): string {
  const lines = rows.map((cells, at) => {
    const written = cells.map((cell, column) =>
      cellXml(cell, `${letters(column)}${at + 1}`, texts),
    );
    const hidden = hiddenRows.includes(at + 1) ? ' hidden="1"' : '';
    return `<row r="${at + 1}" spans="1:${cells.length}"${hidden}>${written.join('')}</row>`;
  });
  return `<worksheet xmlns="${MAIN}"><dimension ref="A1"/><sheetData>${lines.join('')}</sheetData></worksheet>`;
}

function cellXml(cell: WorkbookCell, place: string, texts: string[]): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`;
  if (typeof cell === 'object') return cell.xml.replace('@', place);
  texts.push(cell);
  return `<c r="${place}" t="s"><v>${texts.length - 1}</v></c>`;
}

function letters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : letters(Math.floor(column / 26) - 1) + last;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
