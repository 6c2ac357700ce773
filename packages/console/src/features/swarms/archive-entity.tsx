/** Archives a persona, a swarm or a journey, and goes back to the list it stood in. */
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DeleteEntity } from '../../kit/delete-entity.tsx';
import { notify } from '../../kit/notice.tsx';
import { type Archivable, useArchive } from './data/swarms.ts';

export interface Archived {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
}

export function ArchiveEntity(props: {
  kind: Archivable;
  item: Archived;
  /** What stays, or what is in the way. */
  children: ReactNode;
}) {
  const { kind, item } = props;
  const { projectId, name } = item;
  const navigate = useNavigate();
  const what = singular[kind];
  const archive = useArchive(kind, item, () => {
    notify(`${what.charAt(0).toUpperCase()}${what.slice(1)} ${name} archived.`);
    return navigate({
      to: '/projects/$projectId',
      params: { projectId },
      search: { section: 'swarms' },
    });
  });
  return (
    <DeleteEntity verb="Archive" what={what} name={name} remove={archive}>
      <p>{props.children}</p>
    </DeleteEntity>
  );
}

const singular = { personas: 'persona', swarms: 'swarm', journeys: 'journey' } as const;
