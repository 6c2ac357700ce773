import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { adhocKeyOf, adhocName, type EnvironmentContent } from './adhoc-environment.ts';
import { editEnvironment, nameEnvironment } from './edit-environment.ts';
import type { Environment } from './environment.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const content: EnvironmentContent = {
  hostId: 'cli_1',
  serverAttachmentId: null,
  modelId: 'a/b',
  skillSelection: { mode: 'explicit', skillIds: ['skl_1', 'skl_2'] },
  pluginVersionIds: ['plv_1', 'plv_2'],
  sandboxImageId: null,
};
const keyOf = (change: Partial<EnvironmentContent> = {}) =>
  adhocKeyOf({ ...content, ...change }, sha256);

test('the key is that of what it holds: skills have no order, of plugins the first counts', () => {
  const swapped = { mode: 'explicit', skillIds: ['skl_2', 'skl_1'] } as const;
  expect(keyOf({ skillSelection: swapped })).toBe(keyOf());
  const others: Partial<EnvironmentContent>[] = [
    { hostId: 'cli_2' },
    { serverAttachmentId: 'grp_1' },
    { modelId: null },
    { skillSelection: null },
    { pluginVersionIds: ['plv_2', 'plv_1'] },
    { sandboxImageId: 'image' },
  ];
  expect(new Set([keyOf(), ...others.map(keyOf)]).size).toBe(others.length + 1);
});

test('it is shown by its client and its model, cut where that is long', () => {
  expect(adhocName('Desk', null)).toBe('Ad hoc: Desk');
  expect(adhocName('Desk', 'a/b')).toBe('Ad hoc: Desk, a/b');
  expect([...adhocName('💡'.repeat(300), null)]).toHaveLength(200);
});

const adhoc: Environment = {
  id: 'env_1',
  projectId: 'prj_1',
  name: 'Ad hoc: Desk',
  description: null,
  ...content,
  revision: 1,
  archivedAt: null,
  adhocKey: keyOf(),
};
const naming = { expectedRevision: 1, name: ' Staging ', description: 'Kept.' };

test('named, it is one like any other', () => {
  const named = nameEnvironment(adhoc, naming);
  expect(named).toEqual({
    environment: {
      ...adhoc,
      name: 'Staging',
      description: 'Kept.',
      adhocKey: null,
      revision: 2,
    },
  });
  if ('refusal' in named) throw new Error(named.refusal.message);
  expect(editEnvironment(named.environment, { expectedRevision: 2, modelId: null })).toMatchObject({
    environment: { modelId: null, revision: 3 },
  });
});

test('an edit that names it may change it as well', () => {
  const edit = { expectedRevision: 1, name: 'Staging', modelId: null };
  expect(editEnvironment(adhoc, edit)).toMatchObject({
    environment: { name: 'Staging', modelId: null, adhocKey: null, revision: 2 },
  });
});

test.each([
  [
    'an edit before it is named',
    editEnvironment(adhoc, { expectedRevision: 1 }),
    'ENVIRONMENT_ADHOC',
  ],
  [
    'a name for one that has one',
    nameEnvironment({ ...adhoc, adhocKey: null }, naming),
    'ENVIRONMENT_NAMED',
  ],
  [
    'a name for one that is archived',
    nameEnvironment({ ...adhoc, archivedAt: new Date() }, naming),
    'ENVIRONMENT_ARCHIVED',
  ],
])('%s is refused', (_title, answer, reason) => {
  expect(answer).toMatchObject({ refusal: { code: 'CONFLICT', details: { reason } } });
});

test('an older revision is refused', () => {
  expect(nameEnvironment(adhoc, { ...naming, expectedRevision: 0 })).toMatchObject({
    refusal: { details: { currentRevision: 1 } },
  });
});
