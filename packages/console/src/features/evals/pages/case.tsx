import '../../../kit/styles/workbench.css';
import '../../../kit/styles/server-calls.css';
import '../../../kit/styles/suite.css';
import type { EvalCase, EvalSuiteDetail } from '@proofmark/contract';
import type { Json } from '@proofmark/domain';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Conflict } from '../../../kit/changes/conflict.tsx';
import { reapply } from '../../../kit/changes/three-way.ts';
import { allBelow } from '../../../kit/data/address-key.ts';
import { useChange, useOperation } from '../../../kit/data/operations.ts';
import { DeleteEntity } from '../../../kit/delete-entity.tsx';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { notify } from '../../../kit/notice.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { type SuiteIds, useEditCase } from '../data/eval-suites.ts';
import { caseContent, caseEdit, caseVocabulary } from '../suites/case-draft.ts';
import { CaseEditor } from '../suites/case-editor.tsx';
import { BackToSuite, SuiteCrumbs } from '../suites/suite-crumbs.tsx';

export function CasePage() {
  const { caseId, ...ids } = useParams({
    from: '/signed-in/projects/$projectId/suites/$suiteId/cases/$caseId',
  });
  const suite = useOperation('getEvalSuite', ids);
  const one = useOperation('getEvalCase', { ...ids, caseId });
  return (
    <PageFrame
      title={one.data?.title ?? 'Case'}
      crumbs={<SuiteCrumbs ids={ids} />}
      actions={one.data && <DeleteCase ids={ids} one={one.data} />}
    >
      <QueryView query={suite}>
        {(known) => (
          <QueryView query={one}>{(read) => <EditCase suite={known} one={read} />}</QueryView>
        )}
      </QueryView>
    </PageFrame>
  );
}

/**
 * The form starts with the version loaded first. If another person saves the case meanwhile, that
 * version is shown beside the form.
 */
function EditCase({ suite, one }: { suite: EvalSuiteDetail; one: EvalCase }) {
  const ids = { projectId: suite.projectId, suiteId: suite.id };
  const navigate = useNavigate();
  const edit = useEditCase(ids, one.id);
  const [form, setForm] = useState(() => ({ read: one, start: caseContent(one) }));
  const [conflict, setConflict] = useState<{ theirs: EvalCase; mine: Json }>();
  const before = caseContent(form.read);
  const beginWith = (read: EvalCase, start: Json) => {
    setConflict(undefined);
    setForm({ read, start });
  };
  const save = (value: Json) => {
    const body = caseEdit(before, value);
    if (body === undefined) return notify('Nothing was changed.');
    edit.mutate(
      { ...body, expectedUpdatedAt: form.read.updatedAt },
      {
        onSuccess: ({ saved, theirs }) => {
          if (theirs !== undefined) return setConflict({ theirs, mine: value });
          notify(`Case ${saved.title} saved.`);
          void navigate({ to: '/projects/$projectId/suites/$suiteId', params: ids });
        },
      },
    );
  };
  if (conflict !== undefined) {
    const { mine } = conflict;
    const theirs = caseContent(conflict.theirs);
    return (
      <Conflict
        what="case"
        base={before}
        theirs={theirs}
        mine={mine}
        isSet={() => false}
        vocabulary={caseVocabulary}
        onTakeTheirs={() => beginWith(conflict.theirs, theirs)}
        onReapply={() => beginWith(conflict.theirs, reapply(before, theirs, mine))}
      />
    );
  }
  return (
    <CaseEditor
      suite={suite}
      fileId={one.declaredId ?? one.id}
      start={form.start}
      save={edit}
      action="Save case"
      onSave={save}
      cancel={<BackToSuite ids={ids} />}
    />
  );
}

function DeleteCase({ ids, one }: { ids: SuiteIds; one: EvalCase }) {
  const navigate = useNavigate();
  const remove = useChange(
    'deleteEvalCase',
    { ...ids, caseId: one.id },
    {
      leave: () => {
        notify(`Case ${one.title} deleted.`);
        return navigate({ to: '/projects/$projectId/suites/$suiteId', params: ids });
      },
      readAgain: [allBelow('listEvalSuites', { projectId: ids.projectId })],
    },
  );
  return (
    <DeleteEntity what="case" name={one.title} remove={remove}>
      <p>Its trials stay with their runs.</p>
    </DeleteEntity>
  );
}
