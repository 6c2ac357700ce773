import { expect, test } from 'vitest';
import { conformanceBody } from './conformance-body.ts';

test('lines of the file of expected failures are taken as they stand there', () => {
  expect(conformanceBody('', 'server:\n  - ping\n# known\n tools-list:names \n\n')).toEqual({
    expectedFailures: ['ping', 'tools-list:names'],
  });
});

test('an empty form runs the newest revision without a baseline', () => {
  expect(conformanceBody('', ' \n')).toEqual({});
  expect(conformanceBody('2025-11-25', '')).toEqual({ spec: '2025-11-25' });
});
