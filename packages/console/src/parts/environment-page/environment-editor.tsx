/** Edits an environment: form and JSON, the changes before they are saved, and what happened meanwhile. */
import { useState } from 'react';
import { startDraft } from '../../changes/json-draft.ts';
import { type EnvironmentParts, namesIn } from '../../data/environment-parts.ts';
import {
  type Environment,
  type EnvironmentPlace,
  readEnvironment,
  useKeepEnvironment,
  useUpdateEnvironment,
} from '../../data/environments.ts';
import { type FieldProblems, fieldProblems } from '../../data/field-problems.ts';
import {
  comparableContent,
  contentOf,
  type EnvironmentContent,
  environmentEdit,
  isEnvironmentSet,
  readEnvironmentDraft,
  reappliedContent,
} from '../../environments/environment-draft.ts';
import { environmentVocabulary } from '../../environments/environment-words.ts';
import { Conflict } from '../changes/conflict.tsx';
import { JsonPane } from '../changes/json-pane.tsx';
import { problemSentence } from '../changes/problem-sentence.ts';
import { ReviewChanges } from '../changes/review-changes.tsx';
import { useVersioned } from '../changes/use-versioned.ts';
import { Form } from '../form.tsx';
import { EnvironmentFields, environmentFieldNames } from './environment-fields.tsx';

export function EnvironmentEditor(props: {
  place: EnvironmentPlace;
  environment: Environment;
  parts: EnvironmentParts;
}) {
  const { place, parts } = props;
  const update = useUpdateEnvironment(place);
  const keep = useKeepEnvironment(place);
  const [draft, setDraft] = useState(() => startDraft({ ...contentOf(props.environment) }));
  const [ownProblems, setOwnProblems] = useState<FieldProblems>();
  const saver = useVersioned<Environment, EnvironmentContent>(props.environment, {
    versionOf: contentOf,
    comparable: comparableContent,
    isSet: isEnvironmentSet,
    reapply: reappliedContent,
    save: (content, base) =>
      update.mutateAsync(environmentEdit(contentOf(base), content, base.revision)),
    readAgain: () => readEnvironment(place),
    onVersion: (content, saved) => {
      setDraft((before) => startDraft({ ...content }, before));
      keep(saved);
    },
  });
  const vocabulary = environmentVocabulary(namesIn(parts));
  const problems = ownProblems ?? fieldProblems(saver.error);
  const submit = () => {
    const outcome = readEnvironmentDraft(draft);
    setOwnProblems('problems' in outcome ? outcome.problems : undefined);
    if ('content' in outcome) saver.review(outcome.content);
  };
  if (saver.conflict !== undefined) {
    return (
      <Conflict
        what="environment"
        base={comparableContent(contentOf(saver.base))}
        theirs={comparableContent(contentOf(saver.conflict.theirs))}
        mine={comparableContent(saver.conflict.mine)}
        isSet={isEnvironmentSet}
        vocabulary={vocabulary}
        onTakeTheirs={saver.takeTheirs}
        onReapply={saver.reapplyMine}
      />
    );
  }
  return (
    <>
      <Form
        label="Environment"
        problem={
          ownProblems === undefined
            ? saver.error?.message
            : problemSentence(ownProblems, environmentFieldNames)
        }
        attempt={ownProblems ?? saver.error}
        onSubmit={submit}
        buttons={
          <button type="submit" className="primary" disabled={saver.isSaving}>
            Review changes
          </button>
        }
      >
        <div className="workbench">
          <EnvironmentFields draft={draft} parts={parts} problems={problems} onChange={setDraft} />
          <JsonPane
            label="Environment as JSON"
            draft={draft}
            problem={problems['json']}
            onChange={setDraft}
          />
        </div>
      </Form>
      {saver.reviewing !== undefined && (
        <ReviewChanges
          title={`Save ${saver.base.name}?`}
          changes={saver.changesTo(saver.reviewing)}
          vocabulary={vocabulary}
          busy={saver.isSaving}
          onSave={saver.confirm}
          onClose={saver.cancel}
        >
          <p className="hint">It becomes revision {saver.base.revision + 1}.</p>
        </ReviewChanges>
      )}
    </>
  );
}
