import '../../../kit/styles/workbench.css';
import type { SkillDetail } from '@proofmark/contract';
import { tierAllows } from '@proofmark/domain';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { LineChanges } from '../../../kit/changes/change-list.tsx';
import { NewVersionForm } from '../../../kit/changes/new-version-form.tsx';
import { allBelow } from '../../../kit/data/address-key.ts';
import { forForm, useChange, useOperation } from '../../../kit/data/operations.ts';
import { DeleteEntity } from '../../../kit/delete-entity.tsx';
import { Field } from '../../../kit/field.tsx';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { ProjectCrumbs } from '../../../kit/frame/project-crumbs.tsx';
import { useProject } from '../../../kit/frame/use-project.ts';
import { InstantText } from '../../../kit/instant-text.tsx';
import { notify } from '../../../kit/notice.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { ContentHash } from '../content-hash.tsx';
import { UsedBy } from '../used-by.tsx';

export function SkillDetailPage() {
  const { projectId, skillId } = useParams({
    from: '/signed-in/projects/$projectId/skills/$skillId',
  });
  const skill = useOperation('getSkill', { projectId, skillId }, forForm);
  const { data: project } = useProject(projectId);
  const mayEdit = tierAllows(project?.role, 'manage');
  return (
    <PageFrame
      title={skill.data?.name ?? 'Skill'}
      crumbs={<ProjectCrumbs projectId={projectId} section="skills" />}
      intro={skill.data?.description || undefined}
      actions={mayEdit && skill.data ? <Delete skill={skill.data} /> : undefined}
    >
      <QueryView query={skill}>
        {(found) => (
          <>
            <Text key={found.latest.id} skill={found} mayEdit={mayEdit} />
            <Versions skill={found} />
          </>
        )}
      </QueryView>
    </PageFrame>
  );
}

/** The text of the skill's latest version. Saving a change creates a new version. */
function Text({ skill, mayEdit }: { skill: SkillDetail; mayEdit: boolean }) {
  const create = useChange(
    'createSkillVersion',
    (content: string) => ({ projectId: skill.projectId, skillId: skill.id, body: { content } }),
    { readAgain: [allBelow('listSkills', { projectId: skill.projectId })] },
  );
  const [text, setText] = useState<string>();
  const save = () => {
    if (text === undefined || text === skill.content) return;
    create.mutate(text, {
      onSuccess: ({ latest }) => {
        notify(`Version ${latest.number} saved.`);
        setText(undefined);
      },
    });
  };
  return (
    <section aria-labelledby="text">
      <div className="section-head">
        <h2 id="text">
          {text === undefined
            ? `Text of version ${skill.latest.number}`
            : `New version ${skill.latest.number + 1}`}
        </h2>
        {mayEdit && text === undefined && (
          <button type="button" onClick={() => setText(skill.content)}>
            New version
          </button>
        )}
      </div>
      {text === undefined ? (
        <pre className="skill-text">{skill.content}</pre>
      ) : (
        <NewVersionForm
          action={`Save version ${skill.latest.number + 1}`}
          create={create}
          isUnchanged={text === skill.content || text.trim() === ''}
          onSubmit={save}
          onCancel={() => setText(undefined)}
        >
          <div className="workbench">
            <Field label="Text">
              {(control) => (
                <textarea
                  {...control}
                  rows={14}
                  value={text}
                  onChange={(event) => setText(event.target.value)}
                />
              )}
            </Field>
            <div>
              <h3 className="pane-title">Changes</h3>
              {text === skill.content ? (
                <p className="hint">Nothing yet.</p>
              ) : (
                <LineChanges before={skill.content} after={text} />
              )}
            </div>
          </div>
        </NewVersionForm>
      )}
    </section>
  );
}

function Versions({ skill }: { skill: SkillDetail }) {
  const newestFirst = [...skill.versions].sort((one, other) => other.number - one.number);
  return (
    <section aria-labelledby="versions">
      <h2 id="versions">Versions</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col">Details</th>
            <th scope="col">Created</th>
          </tr>
        </thead>
        <tbody>
          {newestFirst.map(({ id, number, contentHash, createdAt }) => (
            <tr key={id}>
              <th scope="row">
                {number}
                {id === skill.latest.id && <span className="tag">latest</span>}
              </th>
              <td data-label="Details">
                <ContentHash hash={contentHash} />
              </td>
              <td data-label="Created">
                <InstantText atMs={createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Delete({ skill }: { skill: SkillDetail }) {
  const navigate = useNavigate();
  const { projectId } = skill;
  const remove = useChange(
    'deleteSkill',
    { projectId, skillId: skill.id },
    {
      leave: () => {
        notify(`Skill ${skill.name} deleted.`);
        return navigate({
          to: '/projects/$projectId',
          params: { projectId },
          search: { section: 'skills' },
        });
      },
    },
  );
  return (
    <DeleteEntity what="skill" name={skill.name} remove={remove}>
      <p>All its versions go with it.</p>
      <UsedBy
        projectId={projectId}
        what="this skill"
        uses={({ skillSelection }) => skillSelection?.skillIds.includes(skill.id) ?? false}
      />
    </DeleteEntity>
  );
}
