/** Archives a persona, a swarm or a journey; says first what stays. */
import { type ReactNode, useState } from 'react';
import { Confirm } from '../confirm.tsx';

export function ArchiveEntity(props: {
  /** What it is, for people: "journey". */
  what: string;
  name: string;
  archive: { isPending: boolean; error: Error | null; mutate: () => void; reset: () => void };
  /** What goes on, or what is in the way. */
  children: ReactNode;
}) {
  const { what, archive } = props;
  const [asking, setAsking] = useState(false);
  const close = () => {
    setAsking(false);
    archive.reset();
  };
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        Archive
      </button>
      {asking && (
        <Confirm
          title={`Archive ${props.name}?`}
          action={`Archive ${what}`}
          busy={archive.isPending}
          error={archive.error}
          onClose={close}
          onConfirm={() => archive.mutate()}
        >
          {props.children}
        </Confirm>
      )}
    </>
  );
}
