import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { auditActionWords, auditDetailWords, auditKinds } from './audit-actions.ts';
import {
  type AuditFormat,
  auditFileHead,
  auditFileLine,
  type ExportedAuditLine,
} from './audit-export.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '=1+1',
    '+1',
    '-1',
    '@x',
    '\tx',
    '\n=x',
    "'x",
    'a,b',
    'a;b',
    'say "no"',
    'two\r\nlines',
    '',
  ),
);
const line: fc.Arbitrary<ExportedAuditLine> = fc.record({
  id: fc.nat(),
  atMs: fc.nat(4e12),
  action: fc.constantFrom('server.toolCalled' as const, 'member.invited' as const),
  subjectId: text,
  actor: text,
  actorId: fc.option(text),
  callerKind: fc.constantFrom('key' as const, 'visitor' as const),
  organizationId: fc.option(text),
  projectId: fc.option(text),
  details: fc.option(fc.record({ tool: text, fields: fc.array(text, { maxLength: 3 }) })),
});

const fileOf = (format: AuditFormat, lines: readonly ExportedAuditLine[]) =>
  auditFileHead(format) + lines.map((one) => auditFileLine(format, one)).join('');

/**
 * Parses CSV by RFC 4180: inside quotes, a doubled quote is one quote, and a line break ends a row
 * only outside quotes.
 */
function parseCsv(file: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (let found = cells.exec(file); found !== null; found = cells.exec(file)) {
    row.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

describe('the audit log as a file', () => {
  test('CSV gives every value back, and none that begins as a formula does', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
        const [head, ...rows] = parseCsv(fileOf('csv', lines));
        expect(head?.slice(0, 3)).toEqual(['id', 'at', 'action']);
        expect(rows).toHaveLength(lines.length);
        for (const [at, row] of rows.entries()) {
          const { subjectId, actor, details } = lines[at] as ExportedAuditLine;
          for (const cell of row) expect(cell).not.toMatch(/^[=+\-@\t\r\n]/);
          const given = [row[3], row[4]].map((cell) => cell?.replace(/^'/, ''));
          expect(given).toEqual([subjectId, actor]);
          expect(row[9]).toBe(details === null ? '' : JSON.stringify(details));
        }
      }),
    );
  });

  test('CSV quotes what another separator would cut', () => {
    const [one] = fc.sample(line, 1) as [ExportedAuditLine];
    expect(auditFileLine('csv', { ...one, subjectId: 'a;=b' })).toContain('"a;=b"');
  });

  test('JSON lines give every value back', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
        const read = fileOf('jsonl', lines).split('\n').slice(0, -1);
        const parsed = read.map((one) => JSON.parse(one));
        expect(parsed).toEqual(
          lines.map(({ atMs, ...one }) => ({
            ...JSON.parse(JSON.stringify(one)),
            at: new Date(atMs).toISOString(),
          })),
        );
      }),
    );
  });
});

test('every action is of a kind that can be asked for, and every kind has an action', () => {
  const kinds = Object.keys(auditActionWords).map((action) => action.split('.')[0]);
  expect([...new Set(kinds)].sort()).toEqual([...auditKinds].sort());
});

test('details are told as words', () => {
  expect(
    auditDetailWords({ fields: ['name'], role: 'admin', formerRole: 'member', email: 'a@b' }),
  ).toEqual(['of a@b', 'from member', 'to admin', 'fields: name']);
  expect(auditDetailWords({ email: 'a@b', role: 'owner' })).toEqual(['of a@b', 'as owner']);
  expect(auditDetailWords({ takenAt: '2026-03-01T00:00:00.000Z', migration: 25 })).toEqual([
    ...['of 2026-03-01T00:00:00.000Z', 'migration 25'],
  ]);
  expect(auditDetailWords(null)).toEqual([]);
});
