/** The form that makes the next version of something whose versions never change: a skill, a plugin. */
import type { ReactNode } from 'react';
import { Form } from '../form.tsx';

export function NewVersionForm(props: {
  /** What the button says. */
  action: string;
  create: { readonly isPending: boolean; readonly error: Error | null };
  /** Whether there is nothing to save yet. */
  isUnchanged?: boolean;
  onSubmit: () => void;
  onCancel: () => void;
  children: ReactNode;
}) {
  const { create, isUnchanged = false } = props;
  return (
    <Form
      label="New version"
      problem={create.error?.message}
      attempt={create.error}
      onSubmit={() => {
        if (!create.isPending) props.onSubmit();
      }}
      buttons={
        <>
          <button type="submit" className="primary" disabled={create.isPending || isUnchanged}>
            {props.action}
          </button>
          <button type="button" onClick={props.onCancel}>
            Cancel
          </button>
        </>
      }
    >
      {props.children}
    </Form>
  );
}
