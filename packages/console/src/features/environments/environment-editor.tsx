import type { ProjectEnvironment } from '@proofmark/contract';
import { startDraft } from '../../kit/changes/json-draft.ts';
import { JsonPane } from '../../kit/changes/json-pane.tsx';
import { VersionedEditor } from '../../kit/changes/versioned-editor.tsx';
import { client } from '../../kit/data/client.ts';
import { fieldProblems } from '../../kit/data/field-problems.ts';
import { useChange, useKeep } from '../../kit/data/operations.ts';
import { choiceNames, type EnvironmentChoices } from './data/environment-choices.ts';
import type { EnvironmentIds } from './data/environments.ts';
import {
  comparableContent,
  environmentContent,
  environmentEdit,
  isEnvironmentSet,
  readEnvironmentDraft,
  reappliedContent,
} from './environment-draft.ts';
import { EnvironmentFields, environmentFieldNames } from './environment-fields.tsx';
import { environmentVocabulary } from './environment-words.ts';

export function EnvironmentEditor(props: {
  ids: EnvironmentIds;
  environment: ProjectEnvironment;
  parts: EnvironmentChoices;
}) {
  const { ids, parts } = props;
  const update = useChange('updateEnvironment', ids);
  const keep = useKeep('getEnvironment', ids);
  return (
    <VersionedEditor
      what="environment"
      saved={props.environment}
      rules={{
        versionOf: environmentContent,
        comparable: comparableContent,
        isSet: isEnvironmentSet,
        reapply: reappliedContent,
        save: (content, base) =>
          update.mutateAsync(environmentEdit(environmentContent(base), content, base.revision)),
        readAgain: () => client.getEnvironment(ids),
        keep,
      }}
      vocabulary={environmentVocabulary(choiceNames(parts))}
      draftOf={(content, before) => startDraft({ ...content }, before)}
      readDraft={readEnvironmentDraft}
      problemsOf={fieldProblems}
      fieldNames={environmentFieldNames}
      reviewHint={({ revision }) => `It becomes revision ${revision + 1}.`}
    >
      {(draft, problems, onChange) => (
        <>
          <EnvironmentFields draft={draft} parts={parts} problems={problems} onChange={onChange} />
          <JsonPane
            label="Environment as JSON"
            draft={draft}
            problem={problems['json']}
            onChange={onChange}
          />
        </>
      )}
    </VersionedEditor>
  );
}
