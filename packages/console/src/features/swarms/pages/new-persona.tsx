import { useNavigate, useParams } from '@tanstack/react-router';
import { useChange } from '../../../kit/data/operations.ts';
import { NewEntityPage } from '../../../kit/frame/new-entity-page.tsx';
import { personaFields, readPersona } from '../bodies.ts';
import { CreateForm } from '../body-forms.tsx';
import { PersonaFields } from '../persona-fields.tsx';

export function NewPersonaPage() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/personas/new' });
  const navigate = useNavigate();
  const entity = { what: 'persona', projectId, section: 'swarms' } as const;
  return (
    <NewEntityPage
      entity={entity}
      intro="A kind of user. A simulated user plays them in conversations with the assistant under test."
    >
      <CreateForm
        entity={entity}
        start={{}}
        read={readPersona}
        shown={personaFields}
        create={useChange('createPersona', { projectId })}
        open={({ id: personaId }) =>
          navigate({
            to: '/projects/$projectId/personas/$personaId',
            params: { projectId, personaId },
          })
        }
      >
        {(draft, problems, onChange) => (
          <PersonaFields draft={draft} problems={problems} onChange={onChange} />
        )}
      </CreateForm>
    </NewEntityPage>
  );
}
