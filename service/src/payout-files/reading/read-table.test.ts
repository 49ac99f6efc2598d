import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { workbook, workbookParts, workbookWithSheet, zip } from '../../../test/test-workbook.ts';
import { mayHaveDecimalCommas } from '../../domain/payout-file/row-fields.ts';
import { FileUnreadable } from './file-unreadable.ts';
import { readTable } from './read-table.ts';

const csv = (text: string) => readTable(Buffer.from(text));
const rowsOf = async (bytes: Buffer) =>
  (await readTable(bytes)).rows.map(({ line, texts }) => [
    line,
    texts.phone,
    texts.amount,
    texts.name,
  ]);
const refused = (bytes: Buffer, code: string) =>
  assert.rejects(
    readTable(bytes),
    (error) => error instanceof FileUnreadable && error.code === code,
  );

const EXPECTED = [
  [2, '0977433571', '100.50', 'Zoë Bandá'],
  [3, '0966000001', '7', undefined],
];

describe('a CSV file', () => {
  const text = 'Name;Phone No.;Amount (ZMW)\r\nZoë Bandá;0977433571;100.50\r\n;0966000001;7\r\n';

  it('is read in every encoding that spreadsheets write', async () => {
    const little = Buffer.from(text, 'utf16le');
    const big = Buffer.from(little).swap16();
    const encodings = {
      utf8: Buffer.from(text),
      utf8WithMark: Buffer.from(`\ufeff${text}`),
      windows1252: Buffer.from(text, 'latin1'),
      utf16: Buffer.concat([Buffer.from([0xff, 0xfe]), little]),
      utf16WithoutMark: little,
      utf16BigEndian: Buffer.concat([Buffer.from([0xfe, 0xff]), big]),
      utf16BigEndianWithoutMark: big,
    };
    for (const [name, bytes] of Object.entries(encodings)) {
      assert.deepEqual(await rowsOf(bytes), EXPECTED, name);
    }
  });

  it('is read with each separator, line break and order of columns', async () => {
    for (const separator of [',', ';', '\t', '|']) {
      for (const lineBreak of ['\r\n', '\n', '\r']) {
        const bytes = Buffer.from(text.replaceAll(';', separator).replaceAll('\r\n', lineBreak));
        assert.deepEqual(await rowsOf(bytes), EXPECTED, JSON.stringify([separator, lineBreak]));
      }
    }
    assert.deepEqual((await csv('sep=;\namount;msisdn\n5;1\n')).rows[0]?.line, 3);
  });

  it('has quotes, line breaks in cells, a title above and remarks beside', async () => {
    const table = await csv(
      'October salaries\n\nphone,amount,name,shift,\n"0977433571","1,250.00","Banda, ""JB""\nJunior",x\n,,,beside\n0966000001,3,5" pipe,\n',
    );
    assert.deepEqual(
      table.rows.map(({ line, texts }) => [line, texts]),
      [
        [4, { phone: '0977433571', amount: '1,250.00', name: 'Banda, "JB"\nJunior' }],
        [7, { phone: '0966000001', amount: '3', name: '5" pipe' }],
      ],
    );
    assert.deepEqual(
      table.columns.map(({ field }) => field),
      ['phone', 'amount', 'name', null, null],
    );
  });

  it('keeps a row whose cells all slipped beyond the last column', async () => {
    const table = await csv('phone,amount\n0977433571,5\n,,0966123456,250\n,,\n');
    assert.deepEqual(
      table.rows.map(({ line, texts }) => [line, texts]),
      [
        [2, { phone: '0977433571', amount: '5' }],
        [3, { extra: '0966123456 250' }],
      ],
    );
  });

  it('names the cell after an amount that a comma may have cut', async () => {
    const next = async (text: string) => (await csv(text)).rows.map(({ texts }) => texts.next);
    const header = 'phone,amount,name\n';
    const cut = ['1,250', '12,500.00', ' 1 , 250 ', 'K1,250', '1,250.5 kwacha', '001,250'];
    for (const cells of cut) {
      const [found] = await next(`${header}0977433571,${cells}\n`);
      assert.equal(found, cells.split(',')[1]?.trim(), cells);
    }
    const whole = ['"1",250', '1,"250"', '"1,250",x', '1250,250', '1,2500', '1.5,250', '1,A250'];
    for (const cells of whole) {
      assert.deepEqual(await next(`${header}0977433571,${cells}\n`), [undefined], cells);
    }
    // A quote counts for its own row alone.
    const rows = `${header}0977433571,"1",250\n0977433571,1,250\n"0977433571","1","250"\n`;
    assert.deepEqual(await next(rows), [undefined, '250', undefined]);
    assert.deepEqual(await next('phone,amount,shift,name\n0977433571,12,500.00,\n'), ['500.00']);
    // Beyond the last column it is an extra cell already.
    assert.deepEqual(await next('phone,amount\n0977433571,1,250\n'), [undefined]);
    assert.deepEqual(await next('phone;amount;name\n0977433571;1;250\n'), [undefined]);
    const rowsOfSheet = [
      ['phone', 'amount', 'name'],
      ['0977433571', 1, 250],
    ];
    const sheet = await readTable(workbook({ sheets: [{ name: 'One', rows: rowsOfSheet }] }));
    assert.equal(sheet.rows[0]?.texts.next, undefined);
  });

  it('with semicolons may have a comma before the decimals', async () => {
    const mayHave = async (text: string) => mayHaveDecimalCommas((await csv(text)).columns);
    assert.equal(await mayHave('phone;amount\n0977433571;250,125\n'), true);
    assert.equal(await mayHave('sep=;\nphone;amount\n0977433571;250,125\n'), true);
    assert.equal(await mayHave('phone,amount\n0977433571,"250,125"\n'), false);
    assert.equal(await mayHave('phone\tamount\n0977433571\t250,125\n'), false);
  });

  it('with two columns for the amount, or two for the number, is refused and names them', async () => {
    const why = async (bytes: Buffer) => {
      const error: unknown = await readTable(bytes).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      return error instanceof FileUnreadable ? [error.code, error.detail] : error;
    };
    const amounts = ['Phone', 'Salary', 'Net pay'];
    const twoAmounts = ['TWO_COLUMNS', 'Both “Salary” and “Net pay” mean the amount.'];
    assert.deepEqual(
      await why(Buffer.from(`${amounts.join(',')}\n0977433571,9000,6500\n`)),
      twoAmounts,
    );
    const rows = [amounts, ['0977433571', 9000, 6500]];
    assert.deepEqual(await why(workbook({ sheets: [{ name: 'One', rows }] })), twoAmounts);
    const numbers = 'Name,Account Number,Phone,Amount\nNgozi,8031234567,08067654321,500\n';
    assert.deepEqual(await why(Buffer.from(numbers)), [
      'TWO_COLUMNS',
      'Both “Account Number” and “Phone” mean the number.',
    ]);
  });

  it('is refused as a whole with the reason', async () => {
    await refused(Buffer.alloc(0), 'NO_HEADER');
    await refused(Buffer.from('phone,amount\n'), 'EMPTY');
    await refused(Buffer.from('phone,name\n1,2\n'), 'NO_HEADER');
    await refused(Buffer.from(`phone,amount\n"0977,${'x\n'.repeat(40_000)}`), 'OPEN_QUOTE');
    await refused(Buffer.from('phone,amount\n"0977,5\n'), 'OPEN_QUOTE');
    await refused(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 0, 0, 0, 0xff]), 'NOT_A_TABLE');
    await refused(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), 'OLD_EXCEL');
    await refused(Buffer.from(`phone,amount\n${'1,2\n'.repeat(50_001)}`), 'TOO_MANY_ROWS');
  });

  it('takes 50,000 rows and not one more', async () => {
    assert.equal((await csv(`phone,amount\n${'1,2\n'.repeat(50_000)}`)).rows.length, 50_000);
  });
});

const header = ['Mobile', 'Net pay', 'Full name'];

describe('a workbook', () => {
  it('has shared and inline texts, numbers, formulas and rich text', async () => {
    const bytes = workbook({
      sheets: [
        {
          name: 'Salaries',
          rows: [
            ['October'],
            [],
            header,
            ['0977433571', 1250.5, 'Zoë & <Bandá>'],
            [
              260977433571,
              0.1 + 0.2,
              { xml: '<c r="@" t="inlineStr"><is><t>In line</t></is></c>' },
            ],
            [
              { xml: '<c r="@"><v>2.60977433571E11</v></c>' },
              { xml: '<c r="@"><f>SUM(1,2)</f><v>3</v></c>' },
              { xml: '<c r="@" t="str"><f>A1</f><v>By formula</v></c>' },
            ],
          ],
        },
      ],
    });
    assert.deepEqual(await rowsOf(bytes), [
      [4, '0977433571', '1250.5', 'Zoë & <Bandá>'],
      [5, '260977433571', '0.3', 'In line'],
      [6, '260977433571', '3', 'By formula'],
    ]);
  });

  it('joins the runs of a text and leaves phonetic hints out', async () => {
    const parts = workbookParts({
      sheets: [
        {
          name: 'One',
          rows: [
            ['phone', 'amount', 'name'],
            ['a', 'b', 'c'],
          ],
        },
      ],
      sharedStrings:
        '<sst>' +
        ['phone', 'amount', 'name', '0977433571', '5'].map((t) => `<si><t>${t}</t></si>`).join('') +
        '<si><r><t>Chan</t></r><r><rPr/><t>da_x000D_</t></r><rPh><t>hint</t></rPh></si></sst>',
    });
    assert.deepEqual(await rowsOf(zip(parts)), [[2, '0977433571', '5', 'Chanda']]);
  });

  it('shows dates and errors as what they are, never as amounts', async () => {
    const styles =
      '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="[$-409]dd\\ mmm"/><numFmt numFmtId="171" formatCode="&quot;day&quot; 0.00"/></numFmts>' +
      '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs></styleSheet>';
    const cell = (style: number) => ({ xml: `<c r="@" s="${style}"><v>45000</v></c>` });
    const bytes = workbook({
      sheets: [
        {
          name: 'One',
          rows: [
            header,
            ...[0, 1, 2, 3].map((style) => ['1', cell(style)]),
            ['1', { xml: '<c r="@" t="e"><v>#N/A</v></c>' }],
          ],
        },
      ],
      styles,
    });
    const amounts = (await rowsOf(bytes)).map(([, , amount]) => amount);
    assert.deepEqual(amounts, ['45000', '2023-03-15', '2023-03-15', '45000', '#N/A']);
  });

  it('is read from the first visible sheet with payouts, and names the others', async () => {
    const rows = [header, ['0977433571', 1]];
    const table = await readTable(
      workbook({
        sheets: [
          { name: 'Old', rows: [header, ['1', 9]], isHidden: true },
          { name: 'Notes', rows: [['nothing here']] },
          { name: 'Pay "now"', rows, hiddenRows: [2] },
          { name: 'More', rows },
        ],
      }),
    );
    assert.equal(table.sheet, 'Pay "now"');
    assert.deepEqual(table.otherSheets, ['More']);
    assert.deepEqual(
      table.rows.map(({ texts, isHidden }) => [texts.amount, isHidden]),
      [['1', true]],
    );
  });

  it('may be stored without compression and have cells without places', async () => {
    const parts = workbookParts({ sheets: [{ name: 'One', rows: [] }] }).map((part) =>
      part.name.endsWith('sheet1.xml')
        ? {
            ...part,
            bytes: Buffer.from(
              '<x:worksheet><!-- a > b --><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>phone</x:t></x:is></x:c><x:c t="inlineStr"><x:is><x:t><![CDATA[amount]]></x:t></x:is></x:c></x:row><x:row a="1>2"><x:c><x:v>1</x:v></x:c><x:c/></x:row></x:sheetData></x:worksheet>',
            ),
          }
        : part,
    );
    assert.deepEqual(await rowsOf(zip(parts, { isStored: true })), [
      [2, '1', undefined, undefined],
    ]);
  });

  it('that would take too much memory is refused', async () => {
    const plan = { sheets: [{ name: 'One', rows: [header, ['1', 2]] }] };
    const isSheet = (name: string) => name.endsWith('sheet1.xml');
    const large = workbookParts(plan).map((part) =>
      isSheet(part.name) ? { ...part, bytes: Buffer.alloc(1_024 * 1_024, ' ') } : part,
    );
    // The directory says it.
    const declares =
      (bytes: number) =>
      ({ name }: { name: string }) =>
        isSheet(name) ? bytes : 900;
    await refused(zip(large, { declaredBytes: declares(201 * 1_024 * 1_024) }), 'EXPANDS_TOO_MUCH');
    // The directory hides it.
    await refused(zip(large, { declaredBytes: declares(1_000) }), 'EXPANDS_TOO_MUCH');
    // One text of 1,000 characters that 34,000 rows share.
    const shared = { xml: '<c r="@" t="s"><v>2</v></c>' };
    const rows = [
      ['phone', 'amount', 'x'.repeat(1_000)],
      ...Array.from({ length: 34_000 }, () => [shared]),
    ];
    await refused(workbook({ sheets: [{ name: 'One', rows }] }), 'TOO_MUCH_TEXT');
    const entities = workbookParts(plan).map((part) =>
      isSheet(part.name)
        ? {
            ...part,
            bytes: Buffer.from('<!DOCTYPE a [<!ENTITY b "cc">]><worksheet>&b;</worksheet>'),
          }
        : part,
    );
    await refused(zip(entities), 'BROKEN');
    const many = Array.from({ length: 10_001 }, (_, index) => ({
      name: `${index}`,
      bytes: Buffer.alloc(0),
    }));
    await refused(zip(many), 'EXPANDS_TOO_MUCH');
    const longTag = workbookParts(plan).map((part) =>
      isSheet(part.name)
        ? { ...part, bytes: Buffer.from(`<worksheet ${'a="1" '.repeat(400_000)}/>`) }
        : part,
    );
    await refused(zip(longTag), 'BROKEN');
  });

  it('with more formats or relations than any needs is refused', async () => {
    const plan = { sheets: [{ name: 'One', rows: [header, ['1', 2]] }] };
    const cellFormats = (count: number) =>
      `<styleSheet><cellXfs>${'<xf/>'.repeat(count)}</cellXfs></styleSheet>`;
    assert.equal((await rowsOf(workbook({ ...plan, styles: cellFormats(65_490) }))).length, 1);
    await assert.rejects(readTable(workbook({ ...plan, styles: cellFormats(65_491) })), {
      code: 'EXPANDS_TOO_MUCH',
      detail: 'It has more than 65,490 formats of cells.',
    });
    const numbered = (tag: string) =>
      Array.from({ length: 10_001 }, (_, id) => tag.replace('@', `${id}`)).join('');
    const numberFormats = numbered('<numFmt numFmtId="@" formatCode="d"/>');
    await assert.rejects(readTable(workbook({ ...plan, styles: `<a>${numberFormats}</a>` })), {
      code: 'EXPANDS_TOO_MUCH',
      detail: 'It has more than 10,000 formats of numbers.',
    });
    const relations = Buffer.from(`<a>${numbered('<Relationship Id="@" Target=""/>')}</a>`);
    const parts = workbookParts(plan).map((part) =>
      part.name.endsWith('.rels') ? { ...part, bytes: relations } : part,
    );
    await assert.rejects(readTable(zip(parts)), {
      code: 'EXPANDS_TOO_MUCH',
      detail: 'It has more than 10,000 parts.',
    });
  });

  it('whose tags are made to take long is refused at once', async () => {
    const tag = (length: number) => `<c${' r'.repeat(length / 2)}/>`;
    await refused(workbookWithSheet(tag(1_024 * 1_024).repeat(20)), 'BROKEN');
    await refused(workbookWithSheet(tag(64 * 1_024).repeat(320)), 'BROKEN');
  });

  it('that is something else is refused', async () => {
    await refused(zip([{ name: 'word/document.xml', bytes: Buffer.from('<x/>') }]), 'NOT_A_TABLE');
    await refused(Buffer.from('PK\u0003\u0004rubbish', 'latin1'), 'BROKEN');
    await refused(workbook({ sheets: [{ name: 'One', rows: [['a'], ['b']] }] }), 'NO_HEADER');
  });
});

describe('any bytes', () => {
  const good = workbook({
    sheets: [{ name: 'One', rows: [header, ['0977433571', 5, 'A'], ['x', 1e9, 'B']] }],
  });

  async function readsOrRefuses(bytes: Buffer): Promise<void> {
    try {
      await readTable(bytes);
    } catch (error) {
      assert.ok(error instanceof FileUnreadable, String(error));
    }
  }

  it('are read or refused, and end in nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (noise) => {
        await readsOrRefuses(Buffer.from(noise));
        await readsOrRefuses(Buffer.concat([Buffer.from('phone,amount\n'), noise]));
        await readsOrRefuses(Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), noise]));
      }),
      { numRuns: 300 },
    );
  });

  it('of a workbook with damage are read or refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        fc.nat(good.length),
        async (changes, length) => {
          const damaged = Buffer.from(good);
          for (const [at, byte] of changes) damaged[at] = byte;
          await readsOrRefuses(damaged);
          await readsOrRefuses(good.subarray(0, length));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('of a damaged sheet are read or refused', async () => {
    const parts = workbookParts({
      sheets: [{ name: 'One', rows: [header, ['0977433571', 5, 'A']] }],
    });
    await fc.assert(
      fc.asyncProperty(
        fc.nat(500),
        fc.string({
          unit: fc.constantFrom(
            '<',
            '>',
            '"',
            '/',
            '&',
            ';',
            '!',
            '-',
            'c',
            'row',
            'v',
            ' ',
            'r="A1"',
          ),
        }),
        async (at, noise) => {
          const bytes = zip(
            parts.map((part) =>
              part.name.endsWith('sheet1.xml')
                ? {
                    ...part,
                    bytes: Buffer.from(
                      part.bytes.toString().slice(0, at) + noise + part.bytes.toString().slice(at),
                    ),
                  }
                : part,
            ),
            { isStored: true },
          );
          await readsOrRefuses(bytes);
        },
      ),
      { numRuns: 300 },
    );
  });
});
