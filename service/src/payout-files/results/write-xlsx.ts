import { once } from 'node:events';
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';

type XlsxCell = Readonly<{ text: string | null; isNumber: boolean }>;

/** A workbook of one sheet, written row by row. Only the compressed sheet is in memory. */
type XlsxWriter = Readonly<{
  add(rows: readonly (readonly XlsxCell[])[]): Promise<void>;
  finish(): Promise<Buffer>;
}>;

const NUMBER = /^-?\d{1,15}(?:\.\d{1,4})?$/;
/** What XML 1.0 cannot hold. */
const NOT_XML = /[^\t\n\r\P{Cc}]|[\ufffe\uffff]|\p{Cs}/gu;

/** Text is stored as text: a spreadsheet runs none of it as a formula. */
export function createXlsx(sheetName: string): XlsxWriter {
  const deflate = createDeflateRaw();
  const compressed: Buffer[] = [];
  deflate.on('data', (bytes: Buffer) => compressed.push(bytes));
  let checksum = 0;
  let size = 0;
  let rowCount = 0;

  async function write(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    checksum = crc32(bytes, checksum);
    size += bytes.length;
    if (!deflate.write(bytes)) await once(deflate, 'drain');
  }

  return {
    async add(rows) {
      let text = rowCount === 0 ? SHEET_START : '';
      for (const cells of rows) {
        rowCount += 1;
        text += `<row r="${rowCount}">${cells.map(formatCell).join('')}</row>`;
      }
      await write(text);
    },
    async finish() {
      await write(rowCount === 0 ? SHEET_START + SHEET_END : SHEET_END);
      const ended = once(deflate, 'end');
      deflate.end();
      await ended;
      const sheet = { name: SHEET_PATH, bytes: Buffer.concat(compressed), checksum, size };
      return zip([...describeWorkbook(sheetName).map(pack), sheet]);
    },
  };
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

/** One member of a zip archive, compressed. `size` and `checksum` are those of its content. */
type Member = Readonly<{ name: string; bytes: Buffer; checksum: number; size: number }>;

function pack([name, text]: readonly [string, string]): Member {
  const content = Buffer.from(text);
  const bytes = deflateRawSync(content);
  return { name, bytes, checksum: crc32(content), size: content.length };
}

const LOCAL_SIGNATURE = 0x04034b50;
const CENTRAL_SIGNATURE = 0x02014b50;
const END_SIGNATURE = 0x06054b50;
const ZIP_VERSION = 20;
const DEFLATED = 8;
/** 1 January 1980: the same results make the same bytes. */
const DOS_DATE = 0x21;

function zip(members: readonly Member[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const name = Buffer.from(member.name);
    const head = Buffer.concat([localHead(member, name), name]);
    directory.push(centralHead(member, name, offset), name);
    parts.push(head, member.bytes);
    offset += head.length + member.bytes.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END_SIGNATURE, 0);
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}

function localHead(member: Member, name: Buffer): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(LOCAL_SIGNATURE, 0);
  head.writeUInt16LE(ZIP_VERSION, 4);
  writeDescription(head, 8, member, name);
  return head;
}

function centralHead(member: Member, name: Buffer, offset: number): Buffer {
  const head = Buffer.alloc(46);
  head.writeUInt32LE(CENTRAL_SIGNATURE, 0);
  head.writeUInt16LE(ZIP_VERSION, 4);
  head.writeUInt16LE(ZIP_VERSION, 6);
  writeDescription(head, 10, member, name);
  head.writeUInt32LE(offset, 42);
  return head;
}

/** What both heads of a member have in the same order, from the method on. */
function writeDescription(head: Buffer, at: number, member: Member, name: Buffer): void {
  head.writeUInt16LE(DEFLATED, at);
  head.writeUInt16LE(DOS_DATE, at + 4);
  head.writeUInt32LE(member.checksum, at + 6);
  head.writeUInt32LE(member.bytes.length, at + 10);
  head.writeUInt32LE(member.size, at + 14);
  head.writeUInt16LE(name.length, at + 18);
}
