/**
 * Deletes or archives a resource of a project. It shows obstacles first, and an error in the
 * dialog.
 */
import { type ReactNode, useState } from 'react';
import { Confirm } from './confirm.tsx';

export function DeleteEntity(props: {
  /** The word for the thing: "skill". */
  what: string;
  name: string;
  verb?: 'Delete' | 'Archive' | 'Unpublish';
  remove: { isPending: boolean; error: Error | null; mutate: () => void; reset: () => void };
  /** The consequences, or the obstacle. */
  children: ReactNode;
}) {
  const [asking, setAsking] = useState(false);
  const { verb = 'Delete' } = props;
  const action = `${verb} ${props.what}`;
  const close = () => {
    setAsking(false);
    props.remove.reset();
  };
  return (
    <>
      <button type="button" className="danger" onClick={() => setAsking(true)}>
        {action}
      </button>
      {asking && (
        <Confirm
          title={`${verb} ${props.name}?`}
          action={action}
          busy={props.remove.isPending}
          error={props.remove.error}
          onClose={close}
          onConfirm={() => props.remove.mutate()}
        >
          {props.children}
        </Confirm>
      )}
    </>
  );
}
