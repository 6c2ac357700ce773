import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCsv } from './read-csv.ts';
import { readDataFiles } from './read-data-files.ts';
import { readRows } from './read-rows.ts';

describe('CSV', () => {
  it.each<[string, string, object[]]>([
    ['values as texts', 'name,age\nAda,36\n', [{ name: 'Ada', age: '36' }]],
    ['no line end at the end', 'name\nAda', [{ name: 'Ada' }]],
    ['a mark of the byte order', '\ufeffname\nAda', [{ name: 'Ada' }]],
    [
      'lines of other systems',
      'a,b\r\n1,2\r\n3,4\r\n',
      [
        { a: '1', b: '2' },
        { a: '3', b: '4' },
      ],
    ],
    ['old lines', 'a\r1\r2', [{ a: '1' }, { a: '2' }]],
    [
      'quotes, commas and lines in values',
      'a,b\n"x, ""y""\n\nz",2\n',
      [{ a: 'x, "y"\n\nz', b: '2' }],
    ],
    [
      'empty values',
      'a,b\n,\n"",1',
      [
        { a: '', b: '' },
        { a: '', b: '1' },
      ],
    ],
    ['lines with nothing on them', 'a,b\n\n1,2\n\n', [{ a: '1', b: '2' }]],
    ['a last empty value without a line end', 'a,b\n1,', [{ a: '1', b: '' }]],
    ['blanks around names', ' a , b\n 1,2', [{ a: ' 1', b: '2' }]],
  ])('reads %s', (_what, text, rows) => {
    expect(readCsv(text)).toEqual(rows);
  });

  it.each<[string, string, string]>([
    ['too few values', 'a,b\n1,2\n3\n', 'Line 3: The line has 1 values'],
    ['too many values', 'a,b\n"x\ny",2\n\n3,4,5\n', 'Line 5: The line has 3 values'],
    [
      'a record after lines of other systems in quotes',
      'a,b\r\n"x\r\ny",1\r\n\r\n2\r\n',
      'Line 5: The line has 1',
    ],
    ['a quote that stays open after empty lines', 'a,b\n\n\n1,"2', 'Line 4: A value begins'],
    ['two columns of one name', 'a,b,a\n', 'Line 1: Two columns are called "a"'],
    ['a column without a name', 'a,,b\n', 'Line 1: Column 2 has no name'],
    [
      'a quote that stays open',
      'a\n1\n"2\n3',
      'Line 3: A value begins with a quote that is never closed',
    ],
    ['a quote inside a value', 'a\n5" pipe', 'Line 2: A value contains a quote'],
    ['something behind a quote', 'a\n"1"2', 'Line 2: Text follows the closing quote'],
    ['nothing', '', 'The file is empty'],
  ])('tells %s with its line', (_what, text, message) => {
    expect(() => readCsv(text)).toThrow(message);
  });

  it('reads whatever was written by the rule', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é') });
    const spell = (value: string) => `"${value.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell)), (rows) => {
        const text = ['one,two', ...rows.map((row) => row.map(spell).join(','))].join('\r\n');
        expect(readCsv(text)).toEqual(rows.map(([one, two]) => ({ one, two })));
      }),
    );
  });

  it('reads a long value', () => {
    const long = '""x'.repeat(500_000);
    expect(readCsv(`a\n"${long}"`)[0]?.['a']).toHaveLength(1_000_000);
  });
});

describe('other data files', () => {
  it('keep the types of their values', async () => {
    const rows = [{ name: 'Ada', age: 36, tags: ['x'] }];
    expect(await readRows('a.jsonl', '\ufeff{"name":"Ada","age":36,"tags":["x"]}\r\n\n')).toEqual(
      rows,
    );
    expect(await readRows('a.YAML', '- name: Ada\n  age: 36\n  tags: [x]\n')).toEqual(rows);
    expect(await readRows('a.json', JSON.stringify(rows))).toEqual(rows);
  });

  it.each([
    ['a.jsonl', '{"a":1}\n\n{"a":', 'Line 3: A line must be one JSON object'],
    ['a.ndjson', '[1]', 'Line 1: A line must be one JSON object'],
    ['a.yaml', '- a: 1\n- a: [', 'Line 2:'],
    ['a.yml', 'a: 1', 'no list of rows'],
    ['a.yml', '- a: 1\n- 2', 'Row 2'],
    ['a.txt', 'a', 'must end with .csv'],
    ['a.csv', 'a\n', 'has no row'],
    ['a.csv', `a\n${'1\n'.repeat(5001)}`, '5,001 rows; a case may have at most 5,000'],
  ])('%s: what is wrong is told', async (name, text, message) => {
    await expect(readRows(name, text)).rejects.toThrow(message);
  });
});

describe('files beside a suite file', () => {
  let folder: string;
  let suite: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'data-files-'));
    await mkdir(path.join(folder, 'suites/rows'), { recursive: true });
    suite = path.join(folder, 'suites/suite.yaml');
    await writeFile(path.join(folder, 'suites/rows/people.csv'), 'name\nAda\n');
    await writeFile(path.join(folder, 'secret.csv'), 'name\nsecret\n');
    await symlink(path.join(folder, 'secret.csv'), path.join(folder, 'suites/link.csv'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const naming = (name: string) =>
    `cases: [{id: a, data: {key: name, file: ${JSON.stringify(name)}}}]`;

  it('are read and sent along', async () => {
    const content = naming('rows/people.csv');
    expect(await readDataFiles(suite, content)).toEqual({
      content,
      dataFiles: { 'rows/people.csv': [{ name: 'Ada' }] },
    });
  });

  it.each(['../secret.csv', 'rows/../../secret.csv', 'link.csv', '..'])(
    'are not read from elsewhere: %s',
    async (name) => {
      await expect(readDataFiles(suite, naming(name))).rejects.toThrow('not in the folder');
      const absolute = path.resolve(path.dirname(suite), name);
      await expect(readDataFiles(suite, naming(absolute))).rejects.toThrow('not in the folder');
    },
  );

  it('are told where they are not, and where there is no beside', async () => {
    await expect(readDataFiles(suite, naming('none.csv'))).rejects.toThrow(
      'none.csv cannot be read (ENOENT)',
    );
    await expect(readDataFiles('-', naming('rows/people.csv'))).rejects.toThrow('instead of -');
  });

  it('a suite file that cannot be read is sent as it is, for the service to tell', async () => {
    expect(await readDataFiles(suite, 'data: [')).toEqual({ content: 'data: [' });
  });

  it('rows that make a suite file too long are sent beside it', async () => {
    const rows = [{ name: 'Ada', text: 'x'.repeat(1_100_000) }];
    const content = JSON.stringify({ cases: [{ id: 'a', data: { key: 'name', rows } }] });
    const sent = await readDataFiles(suite, content);
    expect(sent.content.length).toBeLessThan(200);
    const [name = ''] = Object.keys(sent.dataFiles ?? {});
    expect(JSON.parse(sent.content).cases[0].data).toEqual({ key: 'name', file: name });
    expect(sent.dataFiles?.[name]).toEqual(rows);
  });
});
