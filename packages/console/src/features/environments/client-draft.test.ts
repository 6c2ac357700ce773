import { ClientConfig, clientTemplateIds, templateConfig } from '@proofmark/domain';
import { describe, expect, test } from 'vitest';
import { changeWords } from '../../kit/changes/change-words.ts';
import { jsonChanges } from '../../kit/changes/json-changes.ts';
import { withField, withJson } from '../../kit/changes/json-draft.ts';
import {
  attachedIds,
  attachmentOf,
  type ClientVersion,
  clientDraft,
  comparable,
  isClientSet,
  readClientDraft,
  reapplied,
  withAttachment,
  withProfileField,
} from './client-draft.ts';
import { clientVocabulary } from './client-words.ts';

const config = (more: object = {}): ClientConfig =>
  ClientConfig.parse({ modelId: 'proofmark/lexical-1', ...more });
const version = (more: object = {}, name = 'Lexical'): ClientVersion => ({
  name,
  config: config(more),
});
const changesOf = (before: ClientVersion, after: ClientVersion) =>
  jsonChanges(comparable(before), comparable(after), isClientSet);

describe('a draft of a client', () => {
  test.each(clientTemplateIds)('of the template %s is read back without a change', (id) => {
    const start = { name: 'One', config: templateConfig(id) };
    const read = readClientDraft(clientDraft(start));
    expect('version' in read && changesOf(start, read.version)).toEqual([]);
  });

  test('tells every problem at its field, unknown fields included', () => {
    const draft = clientDraft(version());
    expect(readClientDraft({ name: ' ', json: withField(draft.json, ['modelId'], ' ') })).toEqual({
      problems: { name: 'Enter a name.', modelId: 'modelId must not be blank.' },
    });
    const unknown = readClientDraft({
      ...draft,
      json: withJson(draft.json, '{"modelId":"a","surprise":1}'),
    });
    expect('problems' in unknown && unknown.problems['json']).toMatch(/surprise/);
    const both = version({ serverIds: ['srv_a'], optionalServerIds: ['srv_a'] });
    expect(readClientDraft(clientDraft(both))).toMatchObject({
      problems: { optionalServerIds: expect.stringMatching(/keep it in one/) },
    });
  });

  test('passes over what only the service writes', () => {
    const draft = clientDraft(version());
    const typed = '{"id":"cfg_1","schemaVersion":2,"modelId":"a"}';
    const read = readClientDraft({ ...draft, json: withJson(draft.json, typed) });
    expect('version' in read && read.version.config.modelId).toBe('a');
  });

  test('moves a server between required and optional, and drops its override with it', () => {
    const { json } = clientDraft(
      version({
        serverIds: ['srv_a'],
        serverConnectionOverrides: { srv_a: { requestTimeoutOverride: 5 } },
      }),
    );
    const optional = withAttachment(json, 'srv_a', 'optional');
    expect(attachmentOf(optional, 'srv_a')).toBe('optional');
    expect(optional.value['serverConnectionOverrides']).toBeDefined();
    const none = withAttachment(optional, 'srv_a', 'none');
    expect(attachedIds(none)).toEqual([]);
    expect(none.value['serverConnectionOverrides']).toBeUndefined();
  });

  test('states a protocol version in a profile, and leaves out a profile that says nothing', () => {
    const { json } = clientDraft(version());
    const stated = withProfileField(json, 'mcpProtocolVersion', '2025-06-18');
    expect(stated.value['mcpProfile']).toEqual({
      profileVersion: 1,
      mcpProtocolVersion: '2025-06-18',
    });
    const reading = withProfileField(stated, 'resourceLinks', 'read');
    const alone = withProfileField(reading, 'mcpProtocolVersion', '');
    expect(alone.value['mcpProfile']).toEqual({ profileVersion: 1, resourceLinks: 'read' });
    expect(withProfileField(alone, 'resourceLinks', '').value['mcpProfile']).toBeUndefined();
  });
});

test('a different order or repetition of servers is no change', () => {
  const one = version({ serverIds: ['srv_b', 'srv_a'] });
  const other = version({ serverIds: ['srv_a', 'srv_b', 'srv_a'] });
  expect(changesOf(one, other)).toEqual([]);
});

test('changes are told in words, servers by their names', () => {
  const vocabulary = clientVocabulary((id) => (id === 'srv_a' ? 'Bookshop' : undefined));
  const after = version({ temperature: 0.5, serverIds: ['srv_a'] }, 'Renamed');
  const words = changesOf(version(), after).map((change) => changeWords(change, vocabulary));
  expect(words).toEqual([
    { label: 'Required server', after: 'Bookshop', isLong: false },
    { label: 'Temperature', before: 'not stated', after: '0.5', isLong: false },
    { label: 'Name', before: 'Lexical', after: 'Renamed', isLong: false },
  ]);
});

test('my changes are put on theirs: servers of both stay, and mine wins in a dispute', () => {
  const base = version({ temperature: 0.5 });
  const theirs = version({ temperature: 1, serverIds: ['srv_a'], systemPrompt: 'x' }, 'Theirs');
  const mine = version({ temperature: 2, serverIds: ['srv_b'] });
  expect(reapplied(base, theirs, mine)).toMatchObject({
    name: 'Theirs',
    config: { temperature: 2, serverIds: ['srv_a', 'srv_b'], systemPrompt: 'x' },
  });
});
