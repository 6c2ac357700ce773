import { expect, test } from 'vitest';
import { expectedFailuresOfFile, readExpectedFailures } from './expected-failures.ts';

const problemOf = (entries: readonly unknown[]) => {
  const read = readExpectedFailures(entries);
  return 'problem' in read ? read.problem : undefined;
};

test('an entry names a scenario, or one check of it', () => {
  const read = readExpectedFailures(['ping', 'tools-list:names', 'tools-list:a:b']);
  expect(read).toEqual({
    expected: new Map<string, unknown>([
      ['ping', 'whole'],
      ['tools-list', ['names', 'a:b']],
    ]),
  });
});

test('a scenario that is listed both as a whole and by check is refused', () => {
  expect(problemOf(['ping', 'ping:answered'])).toBe(
    '"ping" is expected to fail as a whole, so "ping:answered" is redundant; remove one of them.',
  );
  expect(problemOf(['ping:answered', 'ping'])).toContain('redundant');
});

test.each([
  [{ ping: 'answered' }, 'write "ping:answered" without a space after the colon.'],
  [null, 'write the name of a scenario'],
  ['', 'write the name of a scenario'],
  ['ping:', 'write the name of a scenario'],
  [':answered', 'write the name of a scenario'],
  [['ping'], 'write the name of a scenario'],
])('%j is no entry', (entry, problem) => {
  expect(problemOf([entry])).toContain(problem);
});

test('a file lists the entries for servers, and those for clients are not read', () => {
  expect(expectedFailuresOfFile({ server: ['ping'], client: [{}] })).toEqual({
    expected: new Map([['ping', 'whole']]),
  });
  expect(expectedFailuresOfFile(null)).toEqual({ expected: new Map() });
  expect(expectedFailuresOfFile({ client: ['initialize'] })).toEqual({ expected: new Map() });
  expect(expectedFailuresOfFile(['ping'])).toMatchObject({ problem: expect.any(String) });
  expect(expectedFailuresOfFile({ server: 'ping' })).toMatchObject({ problem: expect.any(String) });
});
