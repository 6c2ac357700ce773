import type { Vocabulary } from '../../kit/changes/change-words.ts';

export interface Names {
  client(id: string): string | undefined;
  group(id: string): string | undefined;
  skill(id: string): string | undefined;
  pluginVersion(id: string): string | undefined;
}

export function environmentVocabulary(names: Names): Vocabulary {
  const kinds: Readonly<Record<string, (id: string) => string | undefined>> = {
    hostId: names.client,
    serverAttachmentId: names.group,
    'skillSelection.skillIds': names.skill,
    pluginVersionIds: names.pluginVersion,
  };
  return {
    labels: environmentLabels,
    absent: 'not stated',
    nameOf: (path, id) => kinds[path.join('.')]?.(id),
  };
}

const environmentLabels: Readonly<Record<string, string>> = {
  name: 'Name',
  description: 'Description',
  hostId: 'Client',
  serverAttachmentId: 'Server group',
  modelId: 'Model',
  'skillSelection.skillIds': 'Skill',
  pluginVersionIds: 'Plugin version',
  sandboxImageId: 'Sandbox image',
};
