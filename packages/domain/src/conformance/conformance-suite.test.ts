import { expect, test } from 'vitest';
import { chooseSuite, installCommand, revisionsOf } from './conformance-suite.ts';

const newest = { version: '0.2.0-alpha.12', requirementSets: ['2025-11-25', '2026-07-28'] };
const older = { version: '0.1.13', requirementSets: [] };

test('the newest version that this Node runs is used, and the note says so', () => {
  expect(chooseSuite([older, newest], '24.1.0')).toEqual({ suite: newest, note: null });
  expect(chooseSuite([newest, older], '20.19.0')).toEqual({
    suite: older,
    note: 'Version 0.2.0-alpha.12 of @modelcontextprotocol/conformance needs Node 22 or newer, and this is Node 20.19.0, so version 0.1.13 was used.',
  });
  expect(chooseSuite([older], '20.19.0')).toMatchObject({ suite: older, note: expect.any(String) });
});

test('where none is installed or none runs, the command installs one that runs', () => {
  expect(chooseSuite([], '22.0.0')).toEqual({
    missing:
      'The package @modelcontextprotocol/conformance is not installed. Install it beside proofmark: npm install @modelcontextprotocol/conformance@0.2.0-alpha.12',
  });
  const old = chooseSuite([newest], '20.19.0');
  expect('missing' in old && old.missing).toMatch(/needs Node 22 .*conformance@0\.1\.13$/);
  expect(installCommand('20.19.0')).toMatch(/@0\.1\.13$/);
});

test('versions are compared as npm does', () => {
  const of = (version: string) => ({ version, requirementSets: [] });
  const order = ['0.1.16', '0.2.0-alpha.9', '0.2.0-alpha.10', '0.2.0-beta', '0.2.0', '0.10.0'];
  for (let count = 1; count <= order.length; count += 1) {
    const installed = order.slice(0, count).map(of).reverse();
    expect(chooseSuite(installed, '24.0.0')).toMatchObject({ suite: of(order[count - 1] ?? '') });
  }
});

test('a version without requirement sets tests the older revision only', () => {
  expect(revisionsOf(older)).toEqual(['2025-11-25']);
  expect(revisionsOf(newest)).toEqual(['2025-11-25', '2026-07-28']);
});
