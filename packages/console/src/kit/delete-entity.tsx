/**
 * Deletes or archives a resource after confirmation. The dialog first shows the consequences or the
 * reason why the deletion is impossible.
 */
import { type ReactNode, useState } from 'react';
import { Confirm } from './confirm.tsx';

export function DeleteEntity(props: {
  what: string;
  name: string;
  verb?: 'Delete' | 'Archive' | 'Unpublish';
  remove: { isPending: boolean; error: Error | null; mutate: () => void; reset: () => void };
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
