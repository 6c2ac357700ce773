/** The form starts with the contents of the active version. */
import type { PluginDetail } from '@proofmark/contract';
import { useState } from 'react';
import { NewVersionForm } from '../../kit/changes/new-version-form.tsx';
import { allBelow } from '../../kit/data/address-key.ts';
import { useChange, useWholeList } from '../../kit/data/operations.ts';
import { Modal } from '../../kit/modal.tsx';
import { notify } from '../../kit/notice.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import {
  contentsBody,
  contentsProblem,
  PluginContents,
  type PluginContentsDraft,
} from './plugin-contents.tsx';
import { versionName } from './version-words.ts';

export function NewPluginVersion({
  plugin,
  onClose,
}: {
  plugin: PluginDetail;
  onClose: () => void;
}) {
  const { projectId } = plugin;
  const servers = useWholeList('listProjectServers', { projectId });
  const skills = useWholeList('listSkills', { projectId });
  const create = useChange(
    'createPluginVersion',
    { projectId, pluginId: plugin.id },
    { readAgain: [allBelow('listProjectPlugins', { projectId })] },
  );
  const [contents, setContents] = useState(() => contentsOf(plugin));
  const problem = contentsProblem(contents);
  const submit = () => {
    if (problem !== undefined) return;
    create.mutate(contentsBody(contents), {
      onSuccess: (made) => {
        const wasThere = plugin.versions.some(({ id }) => id === made.id);
        notify(
          wasThere
            ? `Version ${versionName(made)} already holds exactly this.`
            : `Version ${versionName(made)} made; it is the active one now.`,
        );
        onClose();
      },
    });
  };
  return (
    <Modal title={`New version of ${plugin.name}`} onClose={onClose}>
      <p className="hint">Environments keep the version they pin until it is changed there.</p>
      <QueryView query={servers}>
        {(allServers) => (
          <QueryView query={skills}>
            {(allSkills) => (
              <NewVersionForm
                action="Make this version"
                create={create}
                onSubmit={submit}
                onCancel={onClose}
              >
                <PluginContents
                  draft={contents}
                  servers={allServers}
                  skills={allSkills}
                  problem={problem}
                  onChange={setContents}
                />
              </NewVersionForm>
            )}
          </QueryView>
        )}
      </QueryView>
    </Modal>
  );
}

function contentsOf(plugin: PluginDetail): PluginContentsDraft {
  const active = plugin.versions.find(({ id }) => id === plugin.activeVersionId);
  return {
    declaredVersion: '',
    serverIds: active?.servers.map(({ materializedServerId }) => materializedServerId) ?? [],
    skillIds: active?.skills.map(({ materializedSkillId }) => materializedSkillId) ?? [],
  };
}
