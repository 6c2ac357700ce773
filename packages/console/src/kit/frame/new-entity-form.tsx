import type { ReactNode } from 'react';
import { Form } from '../form.tsx';
import { notify } from '../notice.tsx';
import { CancelLink, type NewEntity } from './new-entity-page.tsx';

export function NewEntityForm(props: {
  entity: NewEntity;
  problem: string | undefined;
  /**
   * Changes with each failed attempt to submit, so that each attempt moves the focus to the first
   * problem.
   */
  attempt: unknown;
  isCreating: boolean;
  onSubmit: () => void;
  children: ReactNode;
}) {
  const { what } = props.entity;
  return (
    <Form
      label={`New ${what}`}
      problem={props.problem}
      attempt={props.attempt}
      onSubmit={() => {
        if (!props.isCreating) props.onSubmit();
      }}
      buttons={
        <>
          <button type="submit" className="primary" disabled={props.isCreating}>
            {`Create ${what}`}
          </button>
          <CancelLink {...props.entity} />
        </>
      }
    >
      {props.children}
    </Form>
  );
}

/** Returns a handler that shows a notice and opens the created resource. */
export function whenCreated<Created extends { readonly name: string }>(
  { what }: NewEntity,
  open: (created: Created) => Promise<void>,
) {
  const capitalized = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
  return {
    onSuccess: (created: Created) => {
      notify(`${capitalized} ${created.name} created.`);
      void open(created);
    },
  };
}
