import type { Json } from '@proofmark/domain';
import { type ReactNode, useState } from 'react';
import { type JsonDraft, startDraft } from '../../kit/changes/json-draft.ts';
import { problemSentence } from '../../kit/changes/problem-sentence.ts';
import { type FieldProblems, fieldProblems, formProblem } from '../../kit/data/field-problems.ts';
import { Form } from '../../kit/form.tsx';
import { NewEntityForm, whenCreated } from '../../kit/frame/new-entity-form.tsx';
import type { NewEntity } from '../../kit/frame/new-entity-page.tsx';
import { notify } from '../../kit/notice.tsx';

interface Fields<Body> {
  readonly read: (draft: JsonDraft) => { body: Body } | { problems: FieldProblems };
  /** Fields that show their problems beside the input. */
  readonly shown: readonly string[];
  readonly children: (
    draft: JsonDraft,
    problems: FieldProblems,
    onChange: (draft: JsonDraft) => void,
  ) => ReactNode;
}

interface Write<Body, Saved> {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly mutate: (body: Body, then: { onSuccess: (saved: Saved) => void }) => void;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

export function CreateForm<Body, Saved extends Named>(
  props: Fields<Body> & {
    entity: NewEntity;
    start: Json;
    create: Write<Body, Saved>;
    open: (saved: Saved) => Promise<void>;
  },
) {
  const { entity, create } = props;
  const form = useBodyDraft(props.start, props, create.error);
  return (
    <NewEntityForm
      entity={entity}
      problem={form.problem}
      attempt={form.attempt}
      isCreating={create.isPending}
      onSubmit={() => form.submit((body) => create.mutate(body, whenCreated(entity, props.open)))}
    >
      {props.children(form.draft, form.problems, form.change)}
    </NewEntityForm>
  );
}

export function EditForm<Body, Edit extends object, Saved extends Named>(
  props: Fields<Body> & {
    /** The word for the edited item, such as "persona". */
    what: string;
    saved: Json;
    editOf: (body: Body) => Edit;
    update: Write<Edit, Saved>;
    onSaved: (saved: Saved) => void;
  },
) {
  const { what, update } = props;
  const form = useBodyDraft(props.saved, props, update.error);
  const save = (body: Body) => {
    const edit = props.editOf(body);
    if (Object.keys(edit).length === 0) return notify('Nothing was changed.');
    update.mutate(edit, {
      onSuccess: (saved) => {
        notify(`Saved ${what} ${saved.name}.`);
        props.onSaved(saved);
      },
    });
  };
  return (
    <Form
      label={`Edit ${what}`}
      problem={form.problem}
      attempt={form.attempt}
      onSubmit={() => !update.isPending && form.submit(save)}
      buttons={
        <button type="submit" className="primary" disabled={update.isPending}>
          Save changes
        </button>
      }
    >
      {props.children(form.draft, form.problems, form.change)}
    </Form>
  );
}

function useBodyDraft<Body>(start: Json, { read, shown }: Fields<Body>, error: Error | null) {
  const [draft, change] = useState(() => startDraft(start));
  const [ownProblems, setOwnProblems] = useState<FieldProblems>();
  return {
    draft,
    change,
    problems: ownProblems ?? fieldProblems(error),
    problem:
      ownProblems === undefined ? formProblem(error, shown) : problemSentence(ownProblems, shown),
    attempt: ownProblems ?? error,
    submit(send: (body: Body) => void) {
      const outcome = read(draft);
      setOwnProblems('problems' in outcome ? outcome.problems : undefined);
      if ('body' in outcome) send(outcome.body);
    },
  };
}
