import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useChange, type WithoutBody } from '../../kit/data/operations.ts';
import { DeleteEntity } from '../../kit/delete-entity.tsx';
import { notify } from '../../kit/notice.tsx';

export interface Archived {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
}

export function ArchiveEntity(props: {
  archive: ArchiveId;
  item: Archived;
  /** The effect of archiving, or why it is not possible. */
  children: ReactNode;
}) {
  const { archive, item } = props;
  const { projectId, name } = item;
  const navigate = useNavigate();
  const { parameter, what } = archivable[archive];
  const leave = () => {
    notify(`${what.charAt(0).toUpperCase()}${what.slice(1)} ${name} archived.`);
    return navigate({
      to: '/projects/$projectId',
      params: { projectId },
      search: { section: 'swarms' },
    });
  };
  const input = { projectId, [parameter]: item.id } as WithoutBody<ArchiveId>;
  const remove = useChange<ArchiveId>(archive, input, { leave });
  return (
    <DeleteEntity verb="Archive" what={what} name={name} remove={remove}>
      <p>{props.children}</p>
    </DeleteEntity>
  );
}

export type ArchiveId = keyof typeof archivable;

const archivable = {
  deletePersona: { parameter: 'personaId', what: 'persona' },
  archiveSwarm: { parameter: 'swarmId', what: 'swarm' },
  archiveJourney: { parameter: 'journeyId', what: 'journey' },
} as const;
