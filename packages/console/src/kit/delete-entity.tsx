/**
 * The button that deletes or archives a resource after confirmation. The dialog first states the
 * consequences or what prevents the deletion, and shows an error of the service.
 */
import { type ReactNode, useState } from 'react';
import { Confirm } from './confirm.tsx';

export function DeleteEntity(props: {
  /** The kind of resource in words: "skill". */
  what: string;
  name: string;
  verb?: 'Delete' | 'Archive' | 'Unpublish';
  remove: { isPending: boolean; error: Error | null; mutate: () => void; reset: () => void };
  /** The consequences of the action, or the reason why it is impossible. */
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
