import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ClientConfig } from '../clients/client-config.ts';
import { environmentConflictRefusal } from './environment-conflict-refusal.ts';
import { type EnvironmentParts, resolveEnvironment } from './resolve-environment.ts';

type Changes = {
  environment?: Partial<EnvironmentParts['environment']>;
  config?: Partial<ClientConfig>;
} & Partial<Omit<EnvironmentParts, 'environment'>>;

function parts({ environment, config, ...rest }: Changes = {}): EnvironmentParts {
  return {
    environment: {
      id: 'env',
      name: 'Staging',
      hostId: 'cli',
      serverAttachmentId: null,
      modelId: null,
      skillSelection: null,
      pluginVersionIds: null,
      sandboxImageId: null,
      revision: 4,
      archivedAt: null,
      ...environment,
    },
    client: {
      id: 'cli',
      name: 'Desk',
      configId: 'cfg_1',
      config: {
        modelId: 'a/b',
        clientCapabilities: {},
        hostContext: {},
        serverIds: ['b', 'a'],
        skillSelection: { mode: 'explicit', skillIds: [] },
        ...config,
      },
    },
    serverAttachment: undefined,
    servers: ['c', 'b', 'a', 'd'].map((id) => ({ id, name: id.toUpperCase() })),
    pluginVersions: [version('v1', ['c', 'a'], ['s2']), version('v2', ['d'], []), version('v0')],
    skills: ['s2', 's1', 's3'].map((id) => ({
      id,
      name: `skill ${id}`,
      latestVersionId: `${id}_v`,
      contentHash: `hash ${id}`,
    })),
    ...rest,
  };
}

function version(id: string, serverIds: string[] = [], skillIds: string[] = []) {
  return {
    id,
    pluginId: `p_${id}`,
    name: `Plugin ${id}`,
    bundleHash: `h_${id}`,
    serverIds,
    skills: skillIds.map((skillId) => ({
      skillId,
      skillVersionId: `${skillId}_pinned_by_${id}`,
      name: `skill ${skillId} then`,
      contentHash: `hash ${skillId} then`,
    })),
  };
}

function resolved(changes: Changes = {}) {
  const outcome = resolveEnvironment(parts(changes));
  if (!('resolved' in outcome)) throw new Error(outcome.conflict);
  return outcome.resolved;
}

const group = {
  environment: { serverAttachmentId: 'grp' },
  serverAttachment: { id: 'grp', serverIds: ['d', 'b', 'd'] },
};

test('an environment stands for all of this', () => {
  expect(
    resolved({
      ...group,
      environment: {
        serverAttachmentId: 'grp',
        modelId: 'x/y',
        pluginVersionIds: ['v1'],
        skillSelection: { mode: 'explicit', skillIds: ['s3'] },
        sandboxImageId: 'img',
      },
    }),
  ).toEqual({
    environment: { id: 'env', name: 'Staging', revision: 4 },
    client: {
      id: 'cli',
      name: 'Desk',
      configId: 'cfg_1',
      config: {
        modelId: 'a/b',
        clientCapabilities: {},
        hostContext: {},
        serverIds: ['a', 'b'],
        optionalServerIds: [],
        skillSelection: { mode: 'explicit', skillIds: [] },
      },
    },
    modelId: 'x/y',
    effectiveModelId: 'x/y',
    modelSource: 'environment',
    serverAttachmentId: 'grp',
    sandboxImageId: 'img',
    selectedServerIds: ['d', 'b'],
    effectiveServerIds: ['d', 'b', 'c', 'a'],
    servers: [
      { serverId: 'd', name: 'D' },
      { serverId: 'b', name: 'B' },
      { serverId: 'c', name: 'C' },
      { serverId: 'a', name: 'A' },
    ],
    pluginVersions: [
      { pluginId: 'p_v1', pluginVersionId: 'v1', name: 'Plugin v1', bundleHash: 'h_v1' },
    ],
    skills: [
      { skillId: 's3', skillVersionId: 's3_v', name: 'skill s3', contentHash: 'hash s3' },
      {
        skillId: 's2',
        skillVersionId: 's2_pinned_by_v1',
        name: 'skill s2 then',
        contentHash: 'hash s2 then',
      },
    ],
  });
});

test('what is not stated is not there', () => {
  const plain = resolved();
  expect(plain).toMatchObject({ effectiveModelId: 'a/b', modelSource: 'host' });
  for (const key of ['modelId', 'serverAttachmentId', 'sandboxImageId']) {
    expect(plain).not.toHaveProperty(key);
  }
});

describe('the closed set of servers', () => {
  test.each<[string, Changes, string[]]>([
    ['is that of the client', {}, ['a', 'b']],
    [
      'takes in optional ones that are there',
      { config: { optionalServerIds: ['c'] } },
      ['a', 'b', 'c'],
    ],
    [
      'passes over optional ones that are gone',
      { config: { optionalServerIds: ['z'] } },
      ['a', 'b'],
    ],
    ['is that of the group instead of the client’s', group, ['d', 'b']],
    [
      'does not need the client’s where there is a group',
      { ...group, config: { serverIds: ['gone'] } },
      ['d', 'b'],
    ],
    [
      'takes in those of pinned plugins, in the order of the pins',
      { environment: { pluginVersionIds: ['v2', 'v1'] } },
      ['a', 'b', 'd', 'c'],
    ],
    [
      'may come from a plugin alone',
      { config: { serverIds: [] }, environment: { pluginVersionIds: ['v2'] } },
      ['d'],
    ],
  ])('%s', (_title, changes, serverIds) => {
    expect(resolved(changes).effectiveServerIds).toEqual(serverIds);
  });

  test('has each server once, all of them known, and holds whatever was selected first', () => {
    const ids = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 6 });
    const pins = fc.array(fc.constantFrom('v0', 'v1', 'v2'), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(ids, ids, pins, (serverIds, optionalServerIds, pluginVersionIds) => {
        const outcome = resolveEnvironment(
          parts({ config: { serverIds, optionalServerIds }, environment: { pluginVersionIds } }),
        );
        const brought = pluginVersionIds.flatMap(
          (id) => ({ v0: [], v1: ['c', 'a'], v2: ['d'] })[id] ?? [],
        );
        const all = new Set([...serverIds, ...optionalServerIds, ...brought]);
        if (!('resolved' in outcome)) {
          expect([outcome.conflict, all.size]).toEqual(['ENV_NO_SERVERS', 0]);
          return;
        }
        const { effectiveServerIds, selectedServerIds, servers } = outcome.resolved;
        expect([...effectiveServerIds].sort()).toEqual([...all].sort());
        expect(effectiveServerIds.slice(0, selectedServerIds.length)).toEqual(selectedServerIds);
        expect(servers.map(({ serverId }) => serverId)).toEqual(effectiveServerIds);
      }),
    );
  });
});

describe('the skills', () => {
  const explicit = (...skillIds: string[]) => ({ mode: 'explicit' as const, skillIds });
  test.each<[string, Changes, string[]]>([
    [
      'are those the client names',
      { config: { skillSelection: explicit('s3', 's1') } },
      ['s1', 's3'],
    ],
    ['are none where it names none', {}, []],
    [
      'are all where it does not choose',
      { config: { skillSelection: undefined } },
      ['s1', 's2', 's3'],
    ],
    [
      'are those of the environment instead',
      {
        environment: { skillSelection: explicit('s2') },
        config: { skillSelection: explicit('gone') },
      },
      ['s2'],
    ],
    [
      'and those of pinned plugins, each once',
      {
        environment: { pluginVersionIds: ['v1'] },
        config: { skillSelection: explicit('s1', 's2') },
      },
      ['s1', 's2'],
    ],
  ])('%s', (_title, changes, skillIds) => {
    expect(resolved(changes).skills.map(({ skillId }) => skillId)).toEqual(skillIds);
  });

  test.each<[string, string[], string[], string[]]>([
    ['at their latest version where no plugin pins one', ['s1', 's2'], ['v2'], ['s1_v', 's2_v']],
    ['at the version a plugin pins', ['s1', 's2'], ['v1'], ['s1_v', 's2_pinned_by_v1']],
    ['at the first of several pins', [], ['v3', 'v1'], ['s2_pinned_by_v3']],
  ])('are %s', (_title, skillIds, pluginVersionIds, versionIds) => {
    const { skills } = resolved({
      config: { skillSelection: explicit(...skillIds) },
      environment: { pluginVersionIds },
      pluginVersions: [version('v1', [], ['s2']), version('v2', ['d']), version('v3', [], ['s2'])],
    });
    expect(skills.map(({ skillVersionId }) => skillVersionId)).toEqual(versionIds);
  });
});

describe('an environment that stands for nothing runnable is refused', () => {
  test.each<[Changes, { conflict: string; missingId?: string }]>([
    [{ environment: { archivedAt: new Date(0) } }, { conflict: 'ENV_ARCHIVED' }],
    [{ client: undefined }, { conflict: 'ENV_HOST_NOT_FOUND', missingId: 'cli' }],
    [
      { ...group, serverAttachment: undefined },
      { conflict: 'ENV_SERVER_ATTACHMENT_NOT_FOUND', missingId: 'grp' },
    ],
    [
      { ...group, serverAttachment: { id: 'other', serverIds: ['a'] } },
      { conflict: 'ENV_SERVER_ATTACHMENT_NOT_FOUND', missingId: 'grp' },
    ],
    [
      { ...group, serverAttachment: { id: 'grp', serverIds: ['a', 'z'] } },
      { conflict: 'ENV_SERVER_NOT_FOUND', missingId: 'z' },
    ],
    [{ config: { serverIds: ['z'] } }, { conflict: 'ENV_SERVER_NOT_FOUND', missingId: 'z' }],
    [
      { environment: { pluginVersionIds: ['v'] }, pluginVersions: [version('v', ['z'])] },
      { conflict: 'ENV_SERVER_NOT_FOUND', missingId: 'z' },
    ],
    [
      { environment: { pluginVersionIds: ['v9'] } },
      { conflict: 'ENV_PLUGIN_VERSION_NOT_FOUND', missingId: 'v9' },
    ],
    [
      { environment: { skillSelection: { mode: 'explicit', skillIds: ['s9'] } } },
      { conflict: 'ENV_SKILL_NOT_FOUND', missingId: 's9' },
    ],
    [
      { environment: { pluginVersionIds: ['v'] }, pluginVersions: [version('v', [], ['s9'])] },
      { conflict: 'ENV_SKILL_NOT_FOUND', missingId: 's9' },
    ],
    [{ config: { serverIds: [] } }, { conflict: 'ENV_NO_SERVERS' }],
    [{ config: { serverIds: [], optionalServerIds: ['z'] } }, { conflict: 'ENV_NO_SERVERS' }],
    [{ config: { modelId: ' ' } }, { conflict: 'ENV_MODEL_REQUIRED' }],
  ])('%j → %j', (changes, conflict) => {
    expect(resolveEnvironment(parts(changes))).toEqual(conflict);
  });

  test('with a code, and a reason where the model is missing', () => {
    expect(environmentConflictRefusal({ conflict: 'ENV_MODEL_REQUIRED' })).toMatchObject({
      code: 'CONFLICT',
      details: { code: 'ENV_MODEL_REQUIRED', reason: 'environment_model_required' },
    });
    expect(
      environmentConflictRefusal({ conflict: 'ENV_SERVER_NOT_FOUND', missingId: 'z' }).details,
    ).toEqual({ code: 'ENV_SERVER_NOT_FOUND', missingId: 'z' });
  });
});

test('the resolved form is frozen all the way down and shares nothing with what it came from', () => {
  const given = parts({ config: { hostContext: { deep: { theme: 'dark' } } } });
  const outcome = resolveEnvironment(given);
  if (!('resolved' in outcome)) throw new Error(outcome.conflict);
  const { config } = outcome.resolved.client;
  expect(() => {
    (config.hostContext['deep'] as { theme: string }).theme = 'light';
  }).toThrow(TypeError);
  expect(Object.isFrozen(outcome.resolved.servers[0])).toBe(true);
  (given.client?.config.hostContext['deep'] as { theme: string }).theme = 'light';
  expect(config.hostContext).toEqual({ deep: { theme: 'dark' } });
});
