import { writeZip } from './write-zip.ts';

export type XlsxCell = Readonly<{ text: string | null; isNumber: boolean }>;

const NUMBER = /^-?\d{1,15}(?:\.\d{1,4})?$/;
/** What XML 1.0 cannot hold. */
const NOT_XML = /[^\t\n\r\P{Cc}]|[\ufffe\uffff]|\p{Cs}/gu;

/**
 * Writes a workbook of one sheet in parts, as its rows come. Text is stored as text: a spreadsheet runs none of it as a
 * formula.
 */
export function writeXlsx(
  sheetName: string,
  pages: AsyncIterable<readonly (readonly XlsxCell[])[]>,
): AsyncGenerator<Buffer, undefined> {
  return writeZip(describeWorkbook(sheetName), { name: SHEET_PATH, pieces: writeSheet(pages) });
}

async function* writeSheet(
  pages: AsyncIterable<readonly (readonly XlsxCell[])[]>,
): AsyncGenerator<string> {
  let rowCount = 0;
  for await (const rows of pages) {
    let text = rowCount === 0 ? SHEET_START : '';
    for (const cells of rows) {
      rowCount += 1;
      text += `<row r="${rowCount}">${cells.map(formatCell).join('')}</row>`;
    }
    yield text;
  }
  yield rowCount === 0 ? SHEET_START + SHEET_END : SHEET_END;
}

function formatCell({ text, isNumber }: XlsxCell): string {
  if (text === null || text === '') return '<c/>';
  if (isNumber && NUMBER.test(text)) return `<c><v>${text}</v></c>`;
  return `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`;
}

function escapeXml(text: string): string {
  return text
    .replace(NOT_XML, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const SHEET_PATH = 'xl/worksheets/sheet1.xml';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const SHEET_START = `${XML}<worksheet xmlns="${MAIN}"><sheetData>`;
const SHEET_END = '</sheetData></worksheet>';

function describeWorkbook(sheetName: string): readonly (readonly [name: string, text: string])[] {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  return [
    [
      '[Content_Types].xml',
      `${XML}<Types xmlns="${PACKAGE}/content-types">` +
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
        '<Default Extension="xml" ContentType="application/xml"/>' +
        `<Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/>` +
        `<Override PartName="/${SHEET_PATH}" ContentType="${type}.worksheet+xml"/></Types>`,
    ],
    ['_rels/.rels', relations(`${RELATIONS}/officeDocument`, 'xl/workbook.xml')],
    [
      'xl/workbook.xml',
      `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>` +
        `<sheet name="${escapeXml(sheetName)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    ['xl/_rels/workbook.xml.rels', relations(`${RELATIONS}/worksheet`, 'worksheets/sheet1.xml')],
  ];
}

function relations(type: string, target: string): string {
  return (
    `${XML}<Relationships xmlns="${PACKAGE}/relationships">` +
    `<Relationship Id="rId1" Type="${type}" Target="${target}"/></Relationships>`
  );
}
