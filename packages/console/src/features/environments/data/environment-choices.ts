import type { Client, OutputOf, PluginDetail, Skill } from '@proofmark/contract';
import { useWholeList } from '../../../kit/data/operations.ts';
import { together } from '../../../kit/data/together.ts';
import type { Names } from '../environment-words.ts';
import { versionName } from '../version-words.ts';
import { usePluginsWithVersions } from './plugins.ts';

/** A group of servers. The API calls it a server attachment. */
export type ServerGroup = OutputOf<'getServerAttachment'>;

export interface EnvironmentChoices {
  readonly clients: readonly Client[];
  readonly groups: readonly ServerGroup[];
  readonly skills: readonly Skill[];
  readonly plugins: readonly PluginDetail[];
}

export function useEnvironmentChoices(projectId: string) {
  return together({
    clients: useWholeList('listClients', { projectId }),
    groups: useWholeList('listServerAttachments', { projectId }),
    skills: useWholeList('listSkills', { projectId }),
    plugins: usePluginsWithVersions(projectId),
  });
}

export function choiceNames(parts: EnvironmentChoices): Names {
  const nameIn = (list: readonly { id: string; name: string }[]) => (id: string) =>
    list.find((one) => one.id === id)?.name;
  return {
    client: nameIn(parts.clients),
    group: nameIn(parts.groups),
    skill: nameIn(parts.skills),
    pluginVersion: (id) => {
      for (const plugin of parts.plugins) {
        const version = plugin.versions.find((one) => one.id === id);
        if (version !== undefined) return `${plugin.name} ${versionName(version)}`;
      }
      return undefined;
    },
  };
}
