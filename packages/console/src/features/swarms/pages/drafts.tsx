/**
 * Personas and goals drafted from an environment's tools. Nothing is stored until a person saves
 * it.
 */
import '../../../kit/styles/workbench.css';
import '../swarms.css';
import { useParams, useSearch } from '@tanstack/react-router';
import { useWholeList } from '../../../kit/data/operations.ts';
import { together } from '../../../kit/data/together.ts';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { ProjectCrumbs } from '../../../kit/frame/project-crumbs.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { FirstEnvironment } from '../../environments/index.ts';
import { useDraft } from '../data/drafts.ts';
import { DraftForm, type DraftFormChoices } from '../draft-form.tsx';
import { DraftedPersonCard } from '../drafted-person.tsx';

const route = '/signed-in/projects/$projectId/drafts';

export function DraftsPage() {
  const { projectId } = useParams({ from: route });
  const { persona, swarm } = useSearch({ from: route });
  const choices = together({
    environments: useWholeList('listEnvironments', { projectId }),
    personas: useWholeList('listPersonas', { projectId }),
    swarms: useWholeList('listSwarms', { projectId }),
  });
  return (
    <PageFrame
      title="Draft from tools"
      crumbs={<ProjectCrumbs projectId={projectId} section="swarms" />}
      intro="Personas and journeys that fit the tools of an environment. Nothing is stored until you save it."
    >
      <QueryView query={choices}>
        {(all) =>
          all.environments.length === 0 ? (
            <FirstEnvironment
              projectId={projectId}
              why="Drafts are made from the tools of an environment, and their journeys are played in it."
            />
          ) : (
            <Drafting projectId={projectId} choices={all} personaId={persona} swarmId={swarm} />
          )
        }
      </QueryView>
    </PageFrame>
  );
}

function Drafting(props: {
  projectId: string;
  choices: DraftFormChoices;
  personaId: string | undefined;
  swarmId: string | undefined;
}) {
  const { projectId, choices } = props;
  const draft = useDraft(projectId, choices.personas);
  return (
    <>
      <DraftForm
        choices={choices}
        personaId={props.personaId}
        swarmId={props.swarmId}
        problem={draft.error}
        isDrafting={draft.isPending}
        onDraft={(request) => draft.mutate(request)}
      />
      {draft.data !== undefined && (
        <section aria-labelledby="drafts">
          <h2 id="drafts">Drafts</h2>
          <p className="intro" role="status">{`Drafted by ${draft.data.drafter}.`}</p>
          {draft.data.people.map((person) => (
            <DraftedPersonCard
              key={person.key}
              projectId={projectId}
              place={draft.data.place}
              person={person}
            />
          ))}
        </section>
      )}
    </>
  );
}
