import { count } from '@proofmark/domain';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { JourneyDraft } from './bodies.ts';
import { type DraftedPerson, type DraftPlace, useSaveDraft } from './data/drafts.ts';

export function DraftedPersonCard(props: {
  projectId: string;
  place: DraftPlace;
  person: DraftedPerson;
}) {
  const { projectId, place, person } = props;
  const { persona, journeys } = person;
  const save = useSaveDraft(projectId);
  const [chosen, setChosen] = useState<readonly JourneyDraft[]>(journeys);
  const isNew = persona.id === undefined;
  const isNothing = !isNew && chosen.length === 0;
  return (
    <article className="panel drafted" aria-label={persona.name}>
      <h3>
        {persona.name}
        <span className="hint">{` ${persona.role}`}</span>
      </h3>
      {isNew && persona.notes !== undefined && <p className="foreign-text">{persona.notes}</p>}
      {save.data === undefined ? (
        <>
          <div className="check-list">
            {journeys.map((journey) => (
              <label key={journey.goal}>
                <input
                  type="checkbox"
                  checked={chosen.includes(journey)}
                  onChange={({ target }) =>
                    setChosen(
                      journeys.filter((one) =>
                        one === journey ? target.checked : chosen.includes(one),
                      ),
                    )
                  }
                />
                <Goal journey={journey} />
              </label>
            ))}
          </div>
          <div role="alert">
            {save.error !== null && <p className="form-problem">{save.error.message}</p>}
          </div>
          <button
            type="button"
            disabled={save.isPending || isNothing}
            onClick={() => save.mutate({ person, chosen, place })}
          >
            {saveWords(isNew, chosen.length)}
          </button>
        </>
      ) : (
        <Saved projectId={projectId} persona={persona.name} saved={save.data} />
      )}
    </article>
  );
}

function saveWords(isNew: boolean, journeyCount: number): string {
  const journeys = count(journeyCount, 'journey');
  if (!isNew) return `Save ${journeys}`;
  return journeyCount === 0 ? 'Save persona' : `Save persona and ${journeys}`;
}

function Goal({ journey }: { journey: JourneyDraft }) {
  const { name, goal, suggestedChecks = [] } = journey;
  return (
    <span>
      {name !== undefined && <b>{name}</b>}
      <span className="foreign-text">{goal}</span>
      {suggestedChecks.map(({ toolName }) => (
        <span key={toolName} className="hint">
          {'Check: '}
          <code>{toolName}</code>
          {' is called'}
        </span>
      ))}
    </span>
  );
}

function Saved(props: {
  projectId: string;
  persona: string;
  saved: NonNullable<ReturnType<typeof useSaveDraft>['data']>;
}) {
  const { projectId, saved } = props;
  return (
    <p role="status">
      {'Saved: '}
      <Link
        to="/projects/$projectId/personas/$personaId"
        params={{ projectId, personaId: saved.personaId }}
      >
        {props.persona}
      </Link>
      {saved.journeys.map(({ id: journeyId, name }) => (
        <span key={journeyId}>
          {', '}
          <Link to="/projects/$projectId/journeys/$journeyId" params={{ projectId, journeyId }}>
            {name}
          </Link>
        </span>
      ))}
    </p>
  );
}
