import type { ClientDetail, ProjectServer } from '@proofmark/contract';
import { JsonPane } from '../../kit/changes/json-pane.tsx';
import { VersionedEditor } from '../../kit/changes/versioned-editor.tsx';
import { client } from '../../kit/data/client.ts';
import { type FieldProblems, fieldProblems } from '../../kit/data/field-problems.ts';
import { useChange, useKeep } from '../../kit/data/operations.ts';
import {
  type ClientVersion,
  clientDraft,
  comparable,
  isClientSet,
  readClientDraft,
  reapplied,
} from './client-draft.ts';
import { ClientFields } from './client-fields.tsx';
import { clientVocabulary } from './client-words.ts';
import type { ClientIds } from './data/clients.ts';
import { impactWords } from './impact-words.ts';

export function ClientEditor(props: {
  ids: ClientIds;
  client: ClientDetail;
  servers: readonly ProjectServer[];
}) {
  const { ids, servers } = props;
  const update = useChange('updateClient', { projectId: ids.projectId, client: ids.clientId });
  const keep = useKeep('getClient', { projectId: ids.projectId, client: ids.clientId });
  return (
    <VersionedEditor
      what="client"
      saved={props.client}
      rules={{
        versionOf: ({ name, config }) => ({ name, config }),
        comparable,
        isSet: isClientSet,
        reapply: reapplied,
        save: (version, base) => update.mutateAsync(clientEdit(version, base)),
        readAgain: () => client.getClient({ projectId: ids.projectId, client: ids.clientId }),
        keep,
      }}
      vocabulary={clientVocabulary((id) => servers.find((one) => one.id === id)?.name)}
      draftOf={clientDraft}
      readDraft={readClientDraft}
      problemsOf={(error) => withoutConfig(fieldProblems(error))}
      fieldNames={shownFields}
      reviewHint={({ impact }) => impactWords(impact, 'The change takes effect in')}
    >
      {(draft, problems, onChange) => (
        <>
          <ClientFields draft={draft} servers={servers} problems={problems} onChange={onChange} />
          <JsonPane
            label="Config as JSON"
            draft={draft.json}
            problem={problems['json']}
            onChange={(json) => onChange({ ...draft, json })}
          />
        </>
      )}
    </VersionedEditor>
  );
}

const shownFields = [
  ...['name', 'modelId', 'systemPrompt', 'temperature', 'topP', 'maxTokens'],
  ...['serverIds', 'optionalServerIds', 'json'],
  ...['connectionDefaults.headers', 'connectionDefaults.requestTimeout', 'clientCapabilities'],
  'mcpProfile.mcpProtocolVersion',
];

/**
 * Both expected values are sent even if the name is unchanged. The service then reports a conflict
 * if another person has renamed the client.
 */
function clientEdit(version: ClientVersion, base: ClientDetail) {
  const changesName = version.name !== base.name;
  return {
    ...(changesName ? { name: version.name } : {}),
    config: version.config,
    expectedConfigId: base.configId,
    expectedName: base.name,
  };
}

function withoutConfig(problems: FieldProblems): FieldProblems {
  return Object.fromEntries(
    Object.entries(problems).map(([name, problem]) => [name.replace(/^config\./, ''), problem]),
  );
}
