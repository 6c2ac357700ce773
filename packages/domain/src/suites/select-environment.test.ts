import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type LaunchChoice, selectEnvironment } from './select-environment.ts';

const choiceWith = (given: Partial<LaunchChoice>): LaunchChoice => ({
  environmentIds: [],
  savedServerIds: [],
  ...given,
});

test.each<[string, Partial<LaunchChoice>, object | string]>([
  ['the saved servers', { savedServerIds: ['a', 'b'] }, { serverIds: ['a', 'b'] }],
  [
    'the given servers, each once',
    { savedServerIds: ['a'], serverIds: ['c', 'c'] },
    { serverIds: ['c'] },
  ],
  [
    'the only environment',
    { environmentIds: ['e'], savedServerIds: ['a'] },
    { environmentId: 'e' },
  ],
  [
    'the named environment',
    { environmentIds: ['e', 'f'], environmentId: 'f' },
    { environmentId: 'f' },
  ],
  ['none of several', { environmentIds: ['e', 'f'] }, 'ENVIRONMENT_REQUIRED'],
  [
    'one that is not attached',
    { environmentIds: ['e'], environmentId: 'x' },
    'ENVIRONMENT_NOT_ATTACHED',
  ],
  [
    'one where none is attached',
    { savedServerIds: ['a'], environmentId: 'x' },
    'ENVIRONMENT_NOT_ATTACHED',
  ],
  [
    'servers beside a foreign environment',
    { environmentIds: ['e', 'f'], environmentId: 'x', serverIds: ['a'] },
    'ENVIRONMENT_SERVERS_NOT_OVERRIDABLE',
  ],
  [
    'servers on several environments',
    { environmentIds: ['e', 'f'], serverIds: ['a'] },
    'ENVIRONMENT_SERVERS_NOT_OVERRIDABLE',
  ],
  [
    'servers with an environment and none attached',
    { environmentId: 'e', serverIds: ['a'] },
    'ENVIRONMENT_SERVERS_NOT_OVERRIDABLE',
  ],
  ['nothing at all', {}, 'NO_SAVED_SERVER_SELECTION'],
])('%s', (_, given, expected) => {
  const selection = selectEnvironment(choiceWith(given));
  if (typeof expected !== 'string') expect(selection).toEqual(expected);
  else
    expect(selection).toMatchObject({
      refusal: { code: 'VALIDATION_ERROR', details: { reason: expected } },
    });
});

const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 });

test('what is selected is always attached, saved or given, and a suite with environments never runs on bare servers', () => {
  fc.assert(
    fc.property(
      ids,
      ids,
      fc.option(fc.constantFrom('a', 'b', 'x'), { nil: undefined }),
      fc.option(fc.uniqueArray(fc.constantFrom('s', 't'), { minLength: 1 }), { nil: undefined }),
      (environmentIds, savedServerIds, environmentId, serverIds) => {
        const selection = selectEnvironment({
          environmentIds,
          savedServerIds,
          environmentId,
          serverIds,
        });
        if ('environmentId' in selection) {
          expect(environmentIds).toContain(selection.environmentId);
          expect(serverIds).toBeUndefined();
        } else if ('serverIds' in selection) {
          expect(environmentIds).toEqual([]);
          expect(environmentId).toBeUndefined();
          expect(selection.serverIds).toEqual(serverIds ?? savedServerIds);
        } else {
          expect(selection.refusal.code).toBe('VALIDATION_ERROR');
        }
      },
    ),
  );
});
