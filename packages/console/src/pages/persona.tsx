import { Link, useParams } from '@tanstack/react-router';
import { type Persona, usePersona, useUpdatePersona } from '../data/swarms.ts';
import { EditForm } from '../parts/swarms/body-forms.tsx';
import { JourneysPage } from '../parts/swarms/journeys-page.tsx';
import { PersonaFields } from '../parts/swarms/persona-fields.tsx';
import { personaEdit, personaFields, readPersona } from '../swarms/bodies.ts';
import { statedFields } from '../swarms/draft-of-body.ts';

export function PersonaDetailPage() {
  const { projectId, personaId } = useParams({
    from: '/signed-in/projects/$projectId/personas/$personaId',
  });
  const persona = usePersona(projectId, personaId);
  return (
    <JourneysPage
      kind="personas"
      projectId={projectId}
      title="Persona"
      intro={persona.data?.role}
      item={persona.data}
      query={persona}
      belongs={(journey) => journey.personaId === personaId}
      newJourney={{ persona: personaId }}
      none="They pursue no goal yet."
      archiving={(journeyCount) =>
        journeyCount === 0
          ? 'Runs that were played by this persona stay as they are.'
          : 'Journeys still name this persona. Archive them first.'
      }
      more={() => (
        <Link
          to="/projects/$projectId/drafts"
          params={{ projectId }}
          search={{ persona: personaId }}
          className="button"
        >
          Draft journeys
        </Link>
      )}
      settings={(found) => (
        <Edit key={found.id} persona={found} onSaved={() => void persona.refetch()} />
      )}
    />
  );
}

function Edit({ persona, onSaved }: { persona: Persona; onSaved: () => void }) {
  return (
    <EditForm
      what="persona"
      saved={statedFields(persona, personaFields)}
      read={readPersona}
      shown={personaFields}
      editOf={(body) => personaEdit(persona, body)}
      update={useUpdatePersona(persona.projectId, persona.id)}
      onSaved={onSaved}
    >
      {(draft, problems, onChange) => <PersonaFields {...{ draft, problems, onChange }} />}
    </EditForm>
  );
}
