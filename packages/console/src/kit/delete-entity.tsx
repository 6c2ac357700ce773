/** Deletes or archives something a project holds; says first what stands in the way, and shows a refusal where one asked. */
import { type ReactNode, useState } from 'react';
import { Confirm } from './confirm.tsx';

export function DeleteEntity(props: {
  /** What it is, for people: "skill". */
  what: string;
  name: string;
  verb?: 'Delete' | 'Archive' | 'Unpublish';
  remove: { isPending: boolean; error: Error | null; mutate: () => void; reset: () => void };
  /** What goes with it, or what is in the way. */
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
