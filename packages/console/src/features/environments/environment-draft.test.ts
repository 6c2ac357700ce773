import { ApiError } from '@proofmark/client';
import { environmentConflictRefusal, environmentConflicts } from '@proofmark/domain';
import { describe, expect, test } from 'vitest';
import { changeWords } from '../../kit/changes/change-words.ts';
import { jsonChanges } from '../../kit/changes/json-changes.ts';
import { startDraft, withJson } from '../../kit/changes/json-draft.ts';
import {
  comparableContent,
  type EnvironmentContent,
  environmentContent,
  environmentEdit,
  isEnvironmentSet,
  pinnedVersions,
  readEnvironmentDraft,
  reappliedContent,
  withPin,
  withSkills,
  withText,
} from './environment-draft.ts';
import { environmentVocabulary } from './environment-words.ts';
import { resolveProblem } from './resolve-problem.ts';

const content: EnvironmentContent = { name: 'Staging', hostId: 'cli_1' };
const read = {
  id: 'env_1',
  projectId: 'prj_1',
  revision: 3,
  archived: false,
  createdAt: 1,
  updatedAt: 1,
  description: '',
  ...content,
};
const explicit = (...skillIds: string[]) => ({ mode: 'explicit' as const, skillIds });

describe('a draft of an environment', () => {
  test('holds what can be written and leaves out what says nothing', () => {
    expect(environmentContent(read)).toEqual(content);
    expect(readEnvironmentDraft(startDraft({ ...content }))).toEqual({ version: content });
    const emptied = withText(startDraft({ ...content, modelId: 'a' }), 'modelId', '');
    expect(emptied.value).toEqual(content);
  });

  test('tells what is missing, and fields nobody knows', () => {
    expect(readEnvironmentDraft(startDraft({}))).toMatchObject({
      problems: { name: 'Enter a name.', hostId: 'Choose a client.' },
    });
    const odd = readEnvironmentDraft(
      withJson(startDraft({}), '{"name":"a","hostId":"b","surprise":1}'),
    );
    expect('problems' in odd && odd.problems['json']).toMatch(/surprise/);
  });

  test('chooses skills by name and pins one version of a plugin', () => {
    const chosen = withSkills(startDraft({ ...content }), ['skl_1']);
    expect(chosen.value['skillSelection']).toEqual(explicit('skl_1'));
    expect(withSkills(chosen, []).value).toEqual(content);
    const first = withPin(startDraft({ ...content, pluginVersionIds: ['other'] }), ['a', 'b'], 'a');
    expect(pinnedVersions(withPin(first, ['a', 'b'], 'b'))).toEqual(['other', 'b']);
    expect(pinnedVersions(withPin(first, ['a', 'b'], ''))).toEqual(['other']);
  });
});

test('an edit sends what differs, and null for what was taken out', () => {
  const before = { ...content, description: 'Old.', modelId: 'a', pluginVersionIds: ['plv_1'] };
  const after = { ...content, name: 'Production', skillSelection: explicit('skl_1') };
  expect(environmentEdit(before, after, 7)).toEqual({
    name: 'Production',
    description: '',
    modelId: null,
    pluginVersionIds: null,
    skillSelection: explicit('skl_1'),
    expectedRevision: 7,
  });
});

test('my changes are put on theirs, and both choices of skills stand', () => {
  const theirs = { ...content, description: 'Theirs.', skillSelection: explicit('skl_1') };
  const mine = { ...content, modelId: 'm', skillSelection: explicit('skl_2') };
  expect(reappliedContent(content, theirs, mine)).toEqual({
    ...content,
    description: 'Theirs.',
    modelId: 'm',
    skillSelection: explicit('skl_1', 'skl_2'),
  });
  expect(reappliedContent(theirs, theirs, content)).toEqual(content);
});

test('changes are told by the names of what they point to', () => {
  const names = (name: string) => (id: string) => `${name} ${id}`;
  const vocabulary = environmentVocabulary({
    client: names('Client'),
    group: names('Group'),
    skill: names('Skill'),
    pluginVersion: names('Plugin'),
  });
  const after = { ...content, hostId: '2', serverAttachmentId: '3', pluginVersionIds: ['4'] };
  const changes = jsonChanges(
    comparableContent(content),
    comparableContent(after),
    isEnvironmentSet,
  );
  expect(changes.map((change) => changeWords(change, vocabulary))).toEqual([
    { label: 'Client', before: 'Client cli_1', after: 'Client 2', isLong: false },
    { label: 'Plugin version', after: 'Plugin 4', isLong: false },
    { label: 'Server group', before: 'not stated', after: 'Group 3', isLong: false },
  ]);
});

describe('a conflict of an environment', () => {
  test.each(environmentConflicts)('%s has a title and a place where it is mended', (conflict) => {
    const refusal = environmentConflictRefusal({ conflict, missingId: 'gone' });
    const { code, message, details = {} } = refusal;
    const found = resolveProblem(new ApiError(409, { code, message, details }, undefined));
    expect(found).toMatchObject({ message, missingId: 'gone' });
    expect(found?.title).toMatch(/^[A-Z].+/);
  });

  test('is only what carries a code we know', () => {
    const other = { code: 'CONFLICT', message: 'No.', details: { code: 'OTHER' } } as const;
    expect(resolveProblem(new ApiError(409, other, undefined))).toBeUndefined();
    expect(resolveProblem(new Error('No.'))).toBeUndefined();
  });
});
