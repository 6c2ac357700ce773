import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  archiveEnvironment,
  type EnvironmentEdit,
  editEnvironment,
  restoreEnvironment,
} from './edit-environment.ts';
import type { Environment } from './environment.ts';

const full: Environment = {
  id: 'env',
  projectId: 'prj',
  name: 'Staging',
  description: 'Before release.',
  hostId: 'cli',
  serverAttachmentId: 'grp',
  modelId: 'a/b',
  skillSelection: { mode: 'explicit', skillIds: ['s1'] },
  pluginVersionIds: ['v1', 'v2'],
  sandboxImageId: 'img',
  revision: 3,
  archivedAt: null,
};
const archived: Environment = { ...full, archivedAt: new Date(5) };
const now = new Date(9);

describe('an edit', () => {
  test.each<[string, Omit<EnvironmentEdit, 'expectedRevision'>, Partial<Environment>]>([
    ['renames, trimmed', { name: ' Live ' }, { name: 'Live' }],
    ['leaves alone what it leaves out', { hostId: 'cli_2' }, { hostId: 'cli_2' }],
    ['leaves alone what is undefined', { modelId: undefined, name: undefined }, {}],
    [
      'clears with null',
      {
        serverAttachmentId: null,
        modelId: null,
        skillSelection: null,
        pluginVersionIds: null,
        sandboxImageId: null,
      },
      {
        serverAttachmentId: null,
        modelId: null,
        skillSelection: null,
        pluginVersionIds: null,
        sandboxImageId: null,
      },
    ],
    [
      'keeps the order of ids, each once',
      {
        pluginVersionIds: ['v9', 'v1', 'v9'],
        skillSelection: { mode: 'explicit', skillIds: ['s2', 's1', 's2'] },
      },
      {
        pluginVersionIds: ['v9', 'v1'],
        skillSelection: { mode: 'explicit', skillIds: ['s2', 's1'] },
      },
    ],
    ['may empty the description', { description: '' }, { description: '' }],
  ])('%s', (_title, edit, changes) => {
    expect(editEnvironment(full, { ...edit, expectedRevision: 3 })).toEqual({
      environment: { ...full, ...changes, revision: 4 },
    });
  });

  test('of an archived environment is refused', () => {
    expect(editEnvironment(archived, { name: 'x', expectedRevision: 3 })).toMatchObject({
      refusal: { code: 'CONFLICT', details: { reason: 'ENVIRONMENT_ARCHIVED' } },
    });
  });
});

describe('the revision', () => {
  const writes = [
    (row: Environment, revision: number) =>
      editEnvironment(row, { modelId: null, expectedRevision: revision }),
    (row: Environment, revision: number) => archiveEnvironment(row, revision, now),
    (row: Environment, revision: number) => restoreEnvironment(row, revision, new Set()),
  ];

  test('must be the current one for any write, and grows by one with each', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...writes),
        fc.constantFrom(full, archived),
        fc.nat(9),
        fc.nat(9),
        (write, row, revision, expected) => {
          const outcome = write({ ...row, revision }, expected);
          if ('environment' in outcome) {
            expect([expected, outcome.environment.revision]).toEqual([revision, revision + 1]);
          } else if (expected !== revision) {
            expect(outcome.refusal).toMatchObject({
              code: 'CONFLICT',
              details: { currentRevision: revision },
            });
          } else {
            expect(outcome.refusal.details).toHaveProperty('reason');
          }
        },
      ),
    );
  });
});

describe('archive and restore', () => {
  test('archiving keeps everything and notes when', () => {
    expect(archiveEnvironment(full, 3, now)).toEqual({
      environment: { ...full, archivedAt: now, revision: 4 },
    });
  });

  test('what is archived cannot be archived again, and what is not cannot be restored', () => {
    expect(archiveEnvironment(archived, 3, now)).toMatchObject({
      refusal: { code: 'CONFLICT', details: { reason: 'ENVIRONMENT_ARCHIVED' } },
    });
    expect(restoreEnvironment(full, 3, new Set(['v1']))).toMatchObject({
      refusal: { code: 'CONFLICT', details: { reason: 'ENVIRONMENT_NOT_ARCHIVED' } },
    });
  });

  test.each<[string[], readonly string[] | null, readonly string[] | null]>([
    [
      ['v1', 'v2'],
      ['v1', 'v2'],
      ['v1', 'v2'],
    ],
    [['v2', 'v3'], ['v1', 'v2'], ['v2']],
    [[], ['v1', 'v2'], null],
    [['v1'], null, null],
  ])('with %j left, the pins %j become %j', (existing, pluginVersionIds, pins) => {
    expect(restoreEnvironment({ ...archived, pluginVersionIds }, 3, new Set(existing))).toEqual({
      environment: { ...full, pluginVersionIds: pins, revision: 4 },
    });
  });

  test('a row keeps the fields only its keeper knows', () => {
    const row = { ...full, createdAt: new Date(1) };
    const outcome = archiveEnvironment(row, 3, now);
    expect('environment' in outcome && outcome.environment.createdAt).toEqual(new Date(1));
  });
});
