import { describe, expect, test } from 'vitest';
import type { Assertion } from '../assertions/assertion.ts';
import type { EvalCaseDefinition } from './eval-case.ts';
import { nameSavedServers } from './name-saved-servers.ts';
import type { Step } from './step.ts';

const call = (serverName: string, serverId?: string): Step => ({
  id: 'call',
  kind: 'toolCall',
  toolName: 'weather',
  arguments: {},
  serverName,
  ...(serverId !== undefined && { serverId }),
});
const called = (serverName?: string): Assertion => ({
  type: 'toolCalledAtLeastOnce',
  toolName: 'weather',
  ...(serverName !== undefined && { serverName }),
});
const caseOf = (serverName: string, serverId?: string): { definition: EvalCaseDefinition } => ({
  definition: {
    title: 'Weather',
    steps: [
      { id: 'ask', kind: 'prompt', prompt: 'Hello' },
      call(serverName, serverId),
      { id: 'assert', kind: 'assert', assertion: called(serverName) },
    ],
    checks: { mode: 'replace', list: [called(serverName), called()] },
  },
});
const suiteOf = (servers: { name: string; id?: string }[], serverIds: string[]) => ({
  definition: { settings: {}, file: { schemaVersion: '1' as const, servers } },
  serverIds,
});
const saved = [
  { id: 'srv_1', name: 'Ours' },
  { id: 'srv_2', name: 'Weather' },
];

describe('a case of a suite file', () => {
  test('names the servers that the file was bound to, in steps and assertions', () => {
    const suite = suiteOf([{ name: 'Theirs' }], ['srv_1']);
    expect(nameSavedServers(suite, [caseOf('Theirs')], saved)).toEqual([caseOf('Ours')]);
  });

  test('in both names of an order of calls', () => {
    const order = (name: string): Assertion => ({
      type: 'toolCalledBefore',
      toolName: 'a',
      serverName: name,
      beforeToolName: 'b',
      beforeServerName: name,
    });
    const ordered = (name: string) => ({
      definition: {
        ...caseOf(name).definition,
        checks: { mode: 'replace' as const, list: [order(name)] },
      },
    });
    const suite = suiteOf([{ name: 'Theirs' }], ['srv_1']);
    expect(nameSavedServers(suite, [ordered('Theirs')], saved)).toEqual([ordered('Ours')]);
  });

  test('also where a name of the file is that of another saved server', () => {
    const suite = suiteOf([{ name: 'Weather' }, { name: 'Ours' }], ['srv_1', 'srv_2']);
    const named = nameSavedServers(suite, [caseOf('Weather'), caseOf('Ours')], saved);
    expect(named).toEqual([caseOf('Ours'), caseOf('Weather')]);
  });

  test('means by an id of the file what the name beside it stands for', () => {
    const suite = suiteOf([{ name: 'Theirs', id: 'srv_9' }], ['srv_1']);
    const [one] = nameSavedServers(suite, [caseOf('Whatever', 'srv_9')], saved);
    expect(one?.definition.steps[1]).toEqual(call('Ours', 'srv_1'));
  });

  test('keeps a name that stands for no server of the run, and an id that no file gave', () => {
    const suite = suiteOf([{ name: 'Theirs' }], ['srv_3']);
    const cases = [caseOf('Theirs'), caseOf('Weather', 'srv_2'), caseOf('Other')];
    expect(nameSavedServers(suite, cases, saved)).toEqual(cases);
  });
});

test('a suite that no file made is left as it is', () => {
  const suite = { definition: { settings: {} }, serverIds: ['srv_1'] };
  const cases = [caseOf('Weather')];
  expect(nameSavedServers(suite, cases, saved)).toBe(cases);
});
