import { expect, test } from 'vitest';
import {
  appliesTo,
  chooseScenarios,
  readListedScenarios,
  readRequirementSet,
} from './requirement-set.ts';

const set = {
  server: ['ping', 'tools-list'],
  client: ['initialize'],
  not_scored: [
    { scenario: 'tasks-lifecycle', leg: 'server', reason: 'extension' },
    { scenario: 'auth/dpop', leg: 'client', reason: 'extension' },
  ],
};

test('the scenarios for servers are played, those that are not scored last', () => {
  expect(readRequirementSet(set)).toEqual([
    { scenario: 'ping', isScored: true },
    { scenario: 'tools-list', isScored: true },
    { scenario: 'tasks-lifecycle', isScored: false },
  ]);
});

test('a name that is no plain word is refused, since it becomes part of a command', () => {
  expect(readRequirementSet({ server: ['--url'] })).toBeUndefined();
  expect(readRequirementSet({ server: ['../ping'] })).toBeUndefined();
  expect(readRequirementSet([])).toBeUndefined();
});

test('a printed list is read, without the scenarios that are pending there', () => {
  const printed =
    'Server scenarios (test against a server):\n  - ping\n  - server-sse-polling [2025-11-25]\n';
  expect(readListedScenarios(printed)).toEqual([
    { scenario: 'ping', isScored: true },
    { scenario: 'server-sse-polling', isScored: false },
  ]);
});

test('named scenarios are played alone, and an unknown one is refused with the known ones', () => {
  const all = readRequirementSet(set) ?? [];
  expect(chooseScenarios(all, ['tools-list'], 'body.scenarios')).toEqual({
    scenarios: [{ scenario: 'tools-list', isScored: true }],
  });
  expect(chooseScenarios(all, ['tools'], 'body.scenarios')).toMatchObject({
    refusal: { message: expect.stringContaining('ping, tools-list') },
  });
});

test.each([
  ['http://127.0.0.1:3000/mcp', true],
  ['http://localhost/mcp', true],
  ['http://[::1]:80/mcp', true],
  ['https://localhost/mcp', false],
  ['http://shop.example/mcp', false],
])('the scenario about forged Host headers and %s', (url, applies) => {
  expect(appliesTo({ scenario: 'dns-rebinding-protection', isScored: true }, url)).toBe(applies);
  expect(appliesTo({ scenario: 'ping', isScored: true }, url)).toBe(true);
});
