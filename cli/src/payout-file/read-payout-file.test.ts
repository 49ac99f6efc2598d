import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ROW_PROBLEMS } from '../../../service/src/domain/payout-file/row-problem.ts';
import { workbook } from '../../../service/test/test-workbook.ts';
import { type FileRules, readPayoutFile } from './read-payout-file.ts';

const WALLET = '01890a5d-ac96-774b-bcce-b302099a8057';
const RULES: FileRules = {
  defaults: { operator: 'mtn', country: 'zm', walletIds: { zm: WALLET, ng: WALLET } },
  ignoreColumns: false,
  batch: '',
};

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kafue-cli-'));
});
after(() => rm(folder, { recursive: true, force: true }));

async function read(content: string | Uint8Array, rules: Partial<FileRules> = {}) {
  const path = join(folder, 'payouts.csv');
  await writeFile(path, content);
  return readPayoutFile(path, { ...RULES, ...rules });
}

async function problemsOf(content: string | Uint8Array, rules: Partial<FileRules> = {}) {
  const { problems } = await read(content, rules);
  return problems.map(({ line, column }) => `${line ?? '-'} ${column ?? '-'}`);
}

async function reasonsOf(content: string | Uint8Array, rules: Partial<FileRules> = {}) {
  const { problems } = await read(content, rules);
  return problems.map(({ line, column, reason }) => `${line ?? '-'} ${column ?? '-'}: ${reason}`);
}

type Rows = readonly (readonly (string | number)[])[];

/** The same list as people save it: a workbook, and CSV. */
function savedAs(rows: Rows): readonly (string | Uint8Array)[] {
  const csv = rows.map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\n');
  return [workbook({ sheets: [{ name: 'Pay', rows }] }), `${csv}\n`];
}

async function referencesOf(content: string | Uint8Array, rules: Partial<FileRules> = {}) {
  const { payouts, problems } = await read(content, rules);
  assert.deepEqual(problems, []);
  return payouts.map(({ reference }) => reference);
}

describe('readPayoutFile', () => {
  it('reads columns in any order, with a byte order mark, semicolons and CRLF', async () => {
    const file = await read(
      '\ufeffPhone;Amount;country\r\n0977433571;12.5;\r\n08031234567;1;ng\r\n',
    );
    assert.deepEqual(file.problems, []);
    assert.deepEqual(file.format, { separator: ';', byteOrderMark: true });
    assert.deepEqual(
      file.payouts.map(({ line, amountMinor, currency, operator }) => ({
        line,
        amountMinor,
        currency,
        operator,
      })),
      [
        { line: 2, amountMinor: 1_250n, currency: 'ZMW', operator: 'mtn' },
        { line: 3, amountMinor: 100n, currency: 'NGN', operator: 'mtn' },
      ],
    );
  });

  it('names every problem of every bad line at once', async () => {
    const content =
      'amount,phone,operator,reference\n1,0977433571,mtn,a\n0,1,orange,b c\n1,0977433571,mtn,a\n' +
      '1,0977433571\n,,mtn,\n1,0977"1,mtn,z\n';
    assert.deepEqual(await problemsOf(content), [
      '3 amount',
      '3 operator',
      '3 phone',
      '3 reference',
      '4 reference',
      '5 -',
      '6 amount',
      '6 phone',
      '6 reference',
      '7 -',
    ]);
  });

  it('refuses a column that it does not know, unless told to pass over it', async () => {
    const content = 'amount,phone,naration\n1,0977433571,x\n';
    assert.deepEqual(await problemsOf(content), ['1 naration']);
    const file = await read(content, { ignoreColumns: true });
    assert.deepEqual([file.problems, file.ignored], [[], ['naration']]);
  });

  it('refuses a column that is there twice, and files without what is needed', async () => {
    assert.deepEqual(await problemsOf('amount,AMOUNT ,phone\n1,2,0977433571\n'), ['1 amount']);
    const defaults = { operator: undefined, country: undefined, walletIds: {} };
    const missing = ['1 phone', '1 walletId'];
    assert.deepEqual(await problemsOf('amount\n1\n', { defaults }), missing);
    assert.deepEqual(await problemsOf(''), ['- -']);
    assert.deepEqual(await problemsOf('amount,phone\n\n'), ['- -']);
    assert.deepEqual(await problemsOf('0977433571,12.50\n'), [
      '1 0977433571',
      '1 12.50',
      '1 amount',
      '1 phone',
    ]);
  });

  it('takes what people and spreadsheets write: Airtel, ZM, 1,250.00, Phone Number, sep=;', async () => {
    const file = await read(
      'sep=;\r\nPhone Number;AMOUNT;Network;country;Recipient_Name\r\n' +
        '0977433571;1,250.00;Airtel;ZM;Banda\r\n0966123456;1 250.5;MTN;Zambia;\r\n' +
        "'+2348031234567;1\u00a0000\u00a0000;mtn;Ng;\r\n",
    );
    assert.deepEqual(file.problems, []);
    assert.deepEqual(
      file.payouts.map(({ line, amountMinor, operator, country, phone, recipientName }) => [
        line,
        amountMinor,
        operator,
        country,
        phone,
        recipientName,
      ]),
      [
        [3, 125_000n, 'airtel', 'zm', '0977433571', 'Banda'],
        [4, 125_050n, 'mtn', 'zm', '0966123456', null],
        [5, 100_000_000n, 'mtn', 'ng', '+2348031234567', null],
      ],
    );
    assert.deepEqual(file.format, { separator: ';', byteOrderMark: false });
  });

  it('reads a workbook as it reads CSV, and says what to do with one that it cannot read', async () => {
    const rows = [
      ['Full name', 'Mobile number', 'Net pay', 'Note'],
      ['Chanda', '0966123456', 1250.5, 'x'],
      ['Ngozi', '+2348031234567', 3, ''],
    ];
    const defaults = { ...RULES.defaults, operator: undefined, country: undefined };
    const bytes = workbook({ sheets: [{ name: 'Pay', rows }] });
    const file = await read(bytes, { defaults });
    assert.deepEqual(
      file.payouts.map(({ line, amountMinor, operator, country, recipientName, narration }) => [
        line,
        amountMinor,
        operator,
        country,
        recipientName,
        narration,
      ]),
      [
        [2, 125_050n, 'mtn', 'zm', 'Chanda', 'x'],
        [3, 300n, 'mtn', 'ng', 'Ngozi', null],
      ],
      JSON.stringify(file.problems),
    );
    const broken = await read(Buffer.from('PK\x03\x04rest'));
    assert.match(broken.problems[0]?.reason ?? '', /^The file is damaged/);
    const old = await read(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]));
    assert.match(old.problems[0]?.reason ?? '', /^This is an old Excel file.*"CSV UTF-8"/);
    const unicodeText = Buffer.from('\ufeffamount\tphone\r\n', 'utf16le');
    assert.match((await read(unicodeText)).problems[0]?.reason ?? '', /not UTF-8/);
  });

  it('refuses amounts whose column names another currency than the number is paid in', async () => {
    for (const header of ['Amount (USD)', 'Naira', 'Amount NGN']) {
      for (const content of savedAs([
        ['Phone', header],
        ['0977433571', 500],
      ])) {
        const reasons = await reasonsOf(content);
        assert.deepEqual(reasons, [`2 amount: ${ROW_PROBLEMS.AMOUNT_IN_OTHER_CURRENCY}`], header);
      }
    }
    for (const header of ['Amount (ZMW)', 'Kwacha']) {
      const rows = [
        ['Phone', header],
        ['0977433571', 500],
      ];
      for (const content of savedAs(rows)) assert.deepEqual(await reasonsOf(content), [], header);
    }
  });

  it('never takes a staff number for a reference, and says what to do with its column', async () => {
    for (const header of ['Employee ID', 'Staff No.', 'ID', 'Payroll number', 'Transaction ID']) {
      for (const content of savedAs([
        [header, 'Phone', 'Amount'],
        ['E1', '0977433571', 500],
      ])) {
        const [reason, ...others] = await reasonsOf(content);
        assert.match(reason ?? '', /^1 .*: .*the same each month.*--ignore-columns/, header);
        assert.deepEqual(others, []);
        const file = await read(content, { ignoreColumns: true });
        assert.deepEqual([file.referencesAre, file.ignored], ['derived', [header]]);
      }
    }
    for (const header of ['Reference', 'REF', 'Ref. No', 'Reference Number']) {
      for (const content of savedAs([
        [header, 'Phone', 'Amount'],
        ['E1', '0977433571', 500],
      ])) {
        assert.deepEqual(await referencesOf(content), ['E1'], header);
      }
    }
    const ours = 'Payment reference,Phone,Amount\nE1,0977433571,500\n';
    assert.deepEqual(await referencesOf(ours), ['E1']);
  });

  it('refuses a workbook whose reference is in a column that is not read', async () => {
    const [bytes = ''] = savedAs([
      ['Employee ID', 'Reference', 'Phone', 'Amount'],
      ['E1', 'nov-1', '0977433571', 500],
    ]);
    const reasons = await reasonsOf(bytes, { ignoreColumns: true });
    assert.match(reasons.join(), /^1 Reference: .*save the sheet as CSV/);
  });

  it('refuses two columns that could both be the amount or the number', async () => {
    const amounts = [
      ['Phone', 'Salary', 'Net pay'],
      ['0977433571', 9000, 6500],
    ];
    const numbers = [
      ['Account Number', 'Phone', 'Amount'],
      ['0966123456', '0977433571', 500],
    ];
    for (const content of savedAs(amounts)) {
      assert.deepEqual(await problemsOf(content, { ignoreColumns: true }), ['1 amount']);
    }
    for (const content of savedAs(numbers)) {
      assert.deepEqual(await problemsOf(content, { ignoreColumns: true }), ['1 phone']);
    }
  });

  it('complains of cells beside the list of a workbook', async () => {
    const rows = [
      ['Phone', 'Amount'],
      ['0977433571', 500, 'DO NOT PAY'],
    ];
    const reasons = await reasonsOf(workbook({ sheets: [{ name: 'Pay', rows }] }));
    assert.match(reasons.join(), /^2 -: .*right of the last named column/);
  });

  it('shows the names of other sheets without what would move the cursor', async () => {
    const rows = [
      ['phone', 'amount'],
      ['0977433571', 10],
    ];
    const sheets = [
      { name: 'Pay', rows },
      { name: 'x\u001b[2J\u001b[H 10.00', rows },
    ];
    const { ignored } = await read(workbook({ sheets }));
    assert.deepEqual(ignored, ['the sheet x[2J[H 10.00']);
  });

  it('refuses an amount that a comma may have cut, unless it is in quotes', async () => {
    const header = 'phone,amount,name\n';
    for (const line of ['0977433571,1,250', '0977433571,12,250.50', '0977433571, 1 , 250 ']) {
      const [reason = '', ...others] = await reasonsOf(`${header}${line}\n`);
      assert.match(reason, /^2 amount: .*in quotes/, line);
      assert.deepEqual(others, []);
    }
    for (const line of ['0977433571,"1",250', '0977433571,1,"250"', '0977433571,"1,250",x']) {
      assert.deepEqual(await reasonsOf(`${header}${line}\n`), [], line);
    }
    assert.deepEqual(await reasonsOf('phone;amount;name\n0977433571;1;250\n'), []);
    assert.deepEqual(await reasonsOf(`${header}0977433571,1250,250\n`), []);
  });

  it('refuses a comma before three digits where semicolons separate, and takes what is clear', async () => {
    const [reason = ''] = await reasonsOf('phone;amount\n0977433571;250,125\n');
    assert.match(reason, /^2 amount: It can be read in two ways\. Write 250125\.00/);
    const clear = 'phone;amount\n0977433571;1,250.00\n0977433571;1,250,000\n';
    assert.deepEqual(await reasonsOf(clear), []);
  });

  it('takes no word for a country or a column that only every object has', async () => {
    assert.deepEqual(await problemsOf('phone,amount,country\n0977433571,10,constructor\n'), [
      '2 country',
    ]);
    assert.deepEqual(await problemsOf('phone,amount,constructor\n0977433571,10,x\n'), [
      '1 constructor',
    ]);
  });

  it('warns when a prefix belongs to another operator, and takes the line', async () => {
    const content =
      'amount,phone,operator,country\n1,0966123456,airtel,zm\n1,+260 77 7433571,airtel,zm\n' +
      '1,0955123456,vodacom,zm\n1,08051234567,mtn,ng\n1,08031234567,mtn,ng\n1,0781234567,mtn,zm\n';
    const { payouts, problems, warnings } = await read(content);
    assert.deepEqual([payouts.length, problems], [6, []]);
    assert.deepEqual(
      warnings.map(({ line }) => line),
      [2, 4, 5],
    );
    assert.match(warnings[0]?.reason ?? '', /^0966123456 has a prefix of mtn, .* says airtel/);
    assert.match(warnings[2]?.reason ?? '', /of glo/);
  });

  it('refuses what is not UTF-8, what is not there, and what is a folder', async () => {
    assert.deepEqual(await problemsOf(Buffer.from('amount,phone\n1,\xe9\n', 'latin1')), ['- -']);
    for (const path of [join(folder, 'none.csv'), folder]) {
      assert.equal((await readPayoutFile(path, RULES)).problems.length, 1);
    }
  });

  it('refuses more than 100,000 lines, and takes as many', async () => {
    const file = await read(`amount,phone\n${'1,0977433571\n'.repeat(100_001)}`);
    assert.equal(file.payouts.length, 100_000);
    assert.deepEqual(
      file.problems.map(({ line }) => line),
      [100_002],
    );
  });
});

describe('references from the content', () => {
  const header = 'amount,phone,narration';

  it('are the same in any order, format and spelling of the same lines', async () => {
    const one = await referencesOf(`${header}\n10,0977433571,a\n20.50,0966123456,\n`);
    const other = await referencesOf(
      'narration;walletId;phone;operator;amount\r\n' +
        `;${WALLET};+260 96 612-3456;airtel;20.5\r\na;;977433571;;10.00\r\n`,
    );
    assert.deepEqual(other.toReversed(), one);
    assert.match(one.join(' '), /^csv-[0-9a-f]{32}-1 csv-[0-9a-f]{32}-1$/);
  });

  it('are the same for the workbook and for its CSV, whatever its columns are called', async () => {
    const lists: readonly Rows[] = [
      [
        ['Mobile number', 'Net pay', 'Purpose', 'Employee Name'],
        ['0977433571', 500, 'Nov', 'Banda'],
        ['0966123456', 20.5, '', ''],
      ],
      [
        ['Employee ID', 'Phone No.', 'Amount (ZMW)', 'Remarks'],
        ['E1', '0977433571', 500, 'Nov'],
      ],
    ];
    for (const rows of lists) {
      const [asWorkbook = '', asCsv = ''] = savedAs(rows);
      const rules = { ignoreColumns: true };
      assert.deepEqual(await referencesOf(asCsv, rules), await referencesOf(asWorkbook, rules));
    }
  });

  it('make two payouts of two equal lines', async () => {
    const [first, second, third] = await referencesOf(
      `${header}\n10,0977433571,a\n10,0977433571,a\n10,0977433571,b\n`,
    );
    assert.equal(second, first?.replace(/-1$/, '-2'));
    assert.match(third ?? '', /-1$/);
    assert.notEqual(third, first);
  });

  it('differ with who, how much, what for, and the batch', async () => {
    const contents = ['10,0977433571,a', '10.01,0977433571,a', '10,0977433572,a', '10,0977433571,'];
    const references = [];
    for (const line of contents) references.push(...(await referencesOf(`${header}\n${line}\n`)));
    const content = `${header}\n${contents[0]}\n`;
    references.push(...(await referencesOf(content, { batch: '2026-12' })));
    assert.equal(new Set(references).size, contents.length + 1);
  });
});
