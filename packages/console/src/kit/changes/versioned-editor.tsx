/**
 * The editor for resources with versions. It shows the form, the changes before saving, and both
 * edits if another person saved meanwhile. Everything that differs between kinds of resources is a
 * prop.
 */

import { type ReactNode, useState } from 'react';
import type { FieldProblems } from '../data/field-problems.ts';
import { Form } from '../form.tsx';
import { Modal } from '../modal.tsx';
import { ChangeList } from './change-list.tsx';
import { unfolded, type Vocabulary } from './change-words.ts';
import { Conflict } from './conflict.tsx';
import type { Change } from './json-changes.ts';
import { problemSentence } from './problem-sentence.ts';
import { useVersioned, type VersionRules } from './use-versioned.ts';

export function VersionedEditor<Saved extends { name: string }, Version, Draft>(props: {
  what: string;
  saved: Saved;
  rules: VersionRules<Saved, Version>;
  vocabulary: Vocabulary;
  /** Returns the form's draft for a version. `before` is the draft that the new one replaces. */
  draftOf: (version: Version, before?: Draft) => Draft;
  readDraft: (draft: Draft) => { version: Version } | { problems: FieldProblems };
  /** Returns the problems in the service's response, by form field. */
  problemsOf: (error: Error | null) => FieldProblems;
  fieldNames: readonly string[];
  reviewHint: (base: Saved) => string;
  children: (draft: Draft, problems: FieldProblems, onChange: (draft: Draft) => void) => ReactNode;
}) {
  const { what, rules, vocabulary } = props;
  const [draft, setDraft] = useState(() => props.draftOf(rules.versionOf(props.saved)));
  const [ownProblems, setOwnProblems] = useState<FieldProblems>();
  const saver = useVersioned(props.saved, rules, (version) =>
    setDraft((before) => props.draftOf(version, before)),
  );
  const submit = () => {
    const outcome = props.readDraft(draft);
    setOwnProblems('problems' in outcome ? outcome.problems : undefined);
    if ('version' in outcome) saver.review(outcome.version);
  };
  if (saver.conflict !== undefined) {
    return (
      <Conflict
        what={what}
        base={rules.comparable(rules.versionOf(saver.base))}
        theirs={rules.comparable(rules.versionOf(saver.conflict.theirs))}
        mine={rules.comparable(saver.conflict.mine)}
        isSet={rules.isSet}
        vocabulary={vocabulary}
        onTakeTheirs={saver.takeTheirs}
        onReapply={saver.reapplyMine}
      />
    );
  }
  return (
    <>
      <Form
        label={`${what.charAt(0).toUpperCase()}${what.slice(1)}`}
        problem={
          ownProblems === undefined
            ? saver.error?.message
            : problemSentence(ownProblems, props.fieldNames)
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
          {props.children(draft, ownProblems ?? props.problemsOf(saver.error), setDraft)}
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
          <p className="hint">{props.reviewHint(saver.base)}</p>
        </ReviewChanges>
      )}
    </>
  );
}

function ReviewChanges(props: {
  title: string;
  changes: readonly Change[];
  vocabulary: Vocabulary;
  busy: boolean;
  onSave: () => void;
  onClose: () => void;
  children?: ReactNode;
}) {
  const count = unfolded(props.changes).length;
  return (
    <Modal title={props.title} onClose={props.onClose}>
      <p className="hint">{count === 1 ? '1 change' : `${count} changes`}</p>
      <ChangeList label="Changes" changes={props.changes} vocabulary={props.vocabulary} />
      {props.children}
      <div className="actions">
        <button type="button" className="primary" disabled={props.busy} onClick={props.onSave}>
          Save these changes
        </button>
        <button type="button" onClick={props.onClose}>
          Back to the form
        </button>
      </div>
    </Modal>
  );
}
