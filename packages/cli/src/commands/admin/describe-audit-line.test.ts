import { describe, expect, test } from 'vitest';
import { describeAuditLine, type ShownAuditLine } from './describe-audit-line.ts';

const line: ShownAuditLine = {
  at: new Date('2026-03-04T05:06:07.890Z'),
  action: 'gateWaiver.created',
  subjectId: `wvr_${'0'.repeat(26)}`,
  accountEmail: 'ann@acme.example',
  callerKind: 'key',
  organizationId: `org_${'1'.repeat(26)}`,
  projectId: `prj_${'2'.repeat(26)}`,
  details: { runId: `run_${'3'.repeat(26)}` },
};

describe('a line of the audit log at a terminal', () => {
  test('says when, what, which, who, how and where', () => {
    expect(describeAuditLine(line)).toEqual([
      `2026-03-04 05:06:07Z  gateWaiver.created  wvr_${'0'.repeat(26)}`,
      `  by ann@acme.example (API key)  in prj_${'2'.repeat(26)}`,
      `  run run_${'3'.repeat(26)}`,
    ]);
  });

  test('names the organization where there is no project, and the fields that were sent', () => {
    const shown = describeAuditLine({
      ...line,
      callerKind: 'session',
      projectId: null,
      details: { fields: ['name', 'url'] },
    });
    expect(shown.slice(1)).toEqual([
      `  by ann@acme.example (console)  in org_${'1'.repeat(26)}`,
      '  fields: name, url',
    ]);
  });

  test('fits 80 columns and loses nothing, however long the parts are', () => {
    const fields = Array.from({ length: 40 }, (_, at) => `field${at}`);
    const accountEmail = `${'a'.repeat(200)}@acme.example`;
    const shown = describeAuditLine({ ...line, accountEmail, details: { fields } });
    expect(Math.max(...shown.map((text) => text.length))).toBeLessThanOrEqual(80);
    const whole = shown.map((text) => text.trim()).join('');
    expect(whole).toContain(accountEmail);
    expect(whole).toContain('field39');
  });

  test('a name cannot steer the terminal', () => {
    const shown = describeAuditLine({ ...line, accountEmail: 'a\u001b[2J\u202e@acme.example' });
    expect(shown.join('')).toMatch(/^[^\p{Cc}\p{Cf}]*$/u);
  });
});
